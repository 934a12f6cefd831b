//! What a seat sees and may do, as arrays for learners.

use blazon::machine::View;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::actions::{Asked, choice_of};
use crate::error::{not_open, raised, unknown};
use crate::game::Game;
use crate::layout::{Field, Holds, Layout};
use crate::numpy;

/// Marks the numbers of open options.
pub fn mask(numbers: &[u32], mask: &mut [u8]) {
    mask.fill(0);
    for &number in numbers {
        if let Some(open) = mask.get_mut(number as usize) {
            *open = 1;
        }
    }
}

impl Game {
    fn seen(&mut self, py: Python<'_>, player: Option<&str>) -> PyResult<(u32, View)> {
        let player = self.seat(py, player)?;
        let view = self.game.view_by_id(Some(player)).map_err(|error| raised(py, &error))?;
        Ok((player.into(), view))
    }

    /// What a player sees as numbers.
    fn numbers_seen(&mut self, py: Python<'_>, player: Option<&str>) -> PyResult<Vec<i32>> {
        let (player, view) = self.seen(py, player)?;
        let choice = choice_of(self.game.machine(), player);
        Ok(self.layout().fill(&view, choice))
    }

    /// The numbers of the open options of a player, in their order.
    fn action_numbers(&mut self, py: Python<'_>, player: Option<&str>) -> PyResult<Vec<u32>> {
        let (player, view) = self.seen(py, player)?;
        let numbering = self.numbering();
        let asked = Asked::of(self.game.machine(), player);
        let mut show = |kind, thing| self.game.name_to(player.into(), kind, thing);
        let numbers = numbering.numbers(&asked, &view, &mut show);
        numbers.ok_or_else(|| {
            let message = format!("more than {} options are open: they have no numbers", numbering.size);
            unknown(py, &message)
        })
    }
}

/// A field as a dictionary.
fn told<'py>(
    py: Python<'py>,
    field: &Field,
    layout: &Layout,
    kinds: &[String],
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("name", &field.name)?;
    told.set_item("shape", field.shape.clone())?;
    told.set_item("axes", field.axes.clone())?;
    let (holds, low, high) = match field.holds {
        Holds::Flag => ("flag", Some(0), Some(1)),
        Holds::Number(low, high) => ("number", Some(low), Some(high)),
        Holds::Thing(_, count, _) => ("thing", Some(0), Some(count as i64 - 1)),
        Holds::Set(..) => ("set", Some(0), None),
        Holds::Dice => ("dice", Some(1), None),
        Holds::Choice(count) => ("choice", Some(0), Some(count as i64 - 1)),
    };
    told.set_item("holds", holds)?;
    told.set_item("low", low)?;
    told.set_item("high", high)?;
    let of = match field.holds {
        Holds::Thing(kind, ..) | Holds::Set(kind, _) => kinds.get(kind.0 as usize),
        Holds::Flag | Holds::Number(..) | Holds::Dice | Holds::Choice(_) => None,
    };
    told.set_item("of", of)?;
    told.set_item("nothing", field.nothing())?;
    let hides = matches!(field.holds, Holds::Thing(_, _, true));
    told.set_item("hidden", hides.then_some(crate::layout::HIDDEN))?;
    let place = layout.fields.iter().position(|other| other.at == field.at);
    let next = place.and_then(|place| layout.fields.get(place + 1));
    told.set_item("observation", (field.flat_at, next.map_or(layout.floats, |next| next.flat_at)))?;
    Ok(told)
}

#[pymethods]
impl Game {
    /// What a player sees, as int32 arrays by the names of fields (`observation_layout` tells shapes and meanings). Without
    /// a player of the one who decides.
    ///
    /// `kind.state` has an entry for each thing of the kind, in its printed order: of things whose faces he sees. What
    /// stands on the backs of others is in `kind.back.state`, an entry for each back, sorted by what stands on it, so that
    /// which thing it is cannot be told. `state` has states without keys (shape `(1,)`), `state(kind, kind)` those
    /// with several (an axis each).
    /// A thing is its place in its kind, -1 is nothing or not known, -2 a thing whose face he does not see.
    ///
    /// Raises `ImportError` without NumPy, otherwise as `view`.
    #[pyo3(signature = (player=None))]
    fn features<'py>(&mut self, py: Python<'py>, player: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let ints = self.numbers_seen(py, player)?;
        let features = PyDict::new(py);
        for field in &self.layout().fields {
            let values = &ints[field.at..field.at + field.len()];
            features.set_item(&field.name, numpy::ints(py, values, &field.shape)?)?;
        }
        Ok(features)
    }

    /// The same as one flat float32 vector of `observation_size` numbers, for a learner: flags and numbers as a value
    /// (between 0 and 1 by their bounds; by their logarithm without) and whether it is there, things as one of so many
    /// (by binary digits above 128), and last whether it is a hidden one.
    ///
    /// Raises as `features`.
    #[pyo3(signature = (player=None))]
    fn observation<'py>(&mut self, py: Python<'py>, player: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let ints = self.numbers_seen(py, player)?;
        let layout = self.layout();
        let mut floats = vec![0.0; layout.floats];
        layout.flatten(&ints, &mut floats);
        numpy::floats(py, &floats, &[layout.floats])
    }

    /// How many numbers `observation` has; it hangs on the rules alone.
    #[getter]
    fn observation_size(&mut self) -> usize {
        self.layout().floats
    }

    /// What `features` and `observation` have, the same in every position: a dictionary with `fields`, each with `name`,
    /// `shape`, `axes` (the kinds along them), `holds` (`flag`, `number`, `thing`, `set`, `dice`, `choice`), `of` (the
    /// kind of the things), `low`, `high`, `nothing` and `hidden` (the numbers that stand for these), `observation` (from
    /// where to where in the vector); `left_out`, names with reasons; `size` of the vector.
    fn observation_layout<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let layout = self.layout();
        let kinds: Vec<String> = self.game.book().kinds.iter().map(|kind| kind.name.clone()).collect();
        let fields = PyList::empty(py);
        for field in &layout.fields {
            fields.append(told(py, field, &layout, &kinds)?)?;
        }
        let left_out = PyDict::new(py);
        for (name, why) in &layout.left_out {
            left_out.set_item(name, why)?;
        }
        let whole = PyDict::new(py);
        whole.set_item("fields", fields)?;
        whole.set_item("left_out", left_out)?;
        whole.set_item("size", layout.floats)?;
        Ok(whole)
    }

    /// How many numbers options have; it hangs on the rules alone, and is at most 65,536.
    ///
    /// There is a number for each option of each choice with each value of its arguments: for a thing its place in its kind,
    /// sixteen more for things whose faces the player does not see, told apart by their backs, and one for nothing. Where
    /// these would be more than 65,536, numbers are hashed from names (`actions_are_hashed`). Where two open options have
    /// the same number, the later one in the order of `options` takes the next that no open option has.
    #[getter]
    fn action_space_size(&mut self) -> usize {
        self.numbering().size
    }

    /// Whether the numbers of options are hashed from names, since they would be more than 65,536 otherwise.
    #[getter]
    fn actions_are_hashed(&mut self) -> bool {
        self.numbering().is_hashed()
    }

    /// The numbers of a player's open options in the order of `options`.
    #[pyo3(signature = (player=None))]
    fn actions(&mut self, py: Python<'_>, player: Option<&str>) -> PyResult<Vec<u32>> {
        self.action_numbers(py, player)
    }

    /// A uint8 array of `action_space_size`: 1 for the numbers of a player's open options. All 0 for one who is not asked.
    ///
    /// Raises `ImportError` without NumPy.
    #[pyo3(signature = (player=None))]
    fn action_mask<'py>(&mut self, py: Python<'py>, player: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = self.action_numbers(py, player)?;
        let size = self.numbering().size;
        let mut open = vec![0; size];
        mask(&numbers, &mut open);
        numpy::bytes(py, &open, &[size])
    }

    /// The number of an open option, given as in `choose`.
    #[pyo3(signature = (option, /, *, player=None, args=None, **named))]
    fn action_of<'py>(
        &mut self,
        option: &Bound<'py, PyAny>,
        player: Option<&str>,
        args: Option<&Bound<'py, PyDict>>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<u32> {
        let py = option.py();
        let (player, id) = self.found(option, player, args, named)?;
        let name = self.game.player_name(player);
        let numbers = self.action_numbers(py, Some(&name))?;
        numbers.get(id.index()).copied().ok_or_else(|| not_open(py, "this option is not open"))
    }

    /// Takes the open option of a number.
    ///
    /// Raises `NotOpen` if no open option has it, otherwise as `choose`.
    #[pyo3(signature = (number, *, player=None))]
    fn choose_action(&mut self, py: Python<'_>, number: u32, player: Option<&str>) -> PyResult<()> {
        let player = self.seat(py, player)?;
        let name = self.game.player_name(player);
        let numbers = self.action_numbers(py, Some(&name))?;
        let Some(place) = numbers.iter().position(|&open| open == number) else {
            let message = format!(
                "no open option of {name} has the number {number}; `action_mask` marks those that do"
            );
            return Err(not_open(py, &message));
        };
        let game = &mut self.game;
        py.detach(|| game.choose(player, place.into())).map_err(|error| raised(py, &error))
    }
}
