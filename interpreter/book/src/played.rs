//! What is played, in one line: so that whoever reads a log or a saved game knows by which rules it was made.

use crate::Book;

impl Book {
    /// Game, setup, variants and versions, and the rulings that are not the printed ones, in one line:
    /// `The Ford 1.0.0 · Spring (1470) · Floods 1.2.0 · rulings: fog = Thin`.
    pub fn played(&self, setup: usize) -> String {
        let mut parts = vec![format!("{} {}", self.title, self.version)];
        if let Some(setup) = self.setups.get(setup) {
            parts.push(match &setup.title {
                Some(title) => format!("{} ({title})", setup.name),
                None => setup.name.clone(),
            });
        }
        parts.extend(self.variants.iter().map(|(name, version)| format!("{name} {version}")));
        let rulings = self.other_rulings();
        if !rulings.is_empty() {
            parts.push(format!("rulings: {}", rulings.join(", ")));
        }
        parts.join(" · ")
    }

    /// The rulings that are not the printed ones, each as `fog = Thin`.
    pub fn other_rulings(&self) -> Vec<String> {
        let other = self.rulings.iter().filter(|ruling| ruling.chosen != 0);
        other
            .filter_map(|ruling| Some(format!("{} = {}", ruling.name, ruling.values.get(ruling.chosen)?)))
            .collect()
    }
}
