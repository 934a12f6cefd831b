//! At which table, and as whom: what every request below a table begins with.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;

use super::App;
use super::sent::{Path, Query};
use super::who::Who;
use crate::problem::Problem;
use crate::table::{Sitting, Table, Viewer};

/// What a page says about itself.
#[derive(Deserialize)]
pub struct Page {
    /// As whom it looks; the empty text is a spectator.
    pub seat: Option<String>,
    /// The version that it has.
    #[serde(default)]
    pub since: u64,
}

/// A request at a table.
pub struct At {
    /// What every answer may need.
    pub app: App,
    /// The table.
    pub table: Arc<Table>,
    /// What the page says about itself.
    pub page: Page,
    /// Which browser asks.
    pub who: Who,
}

/// The part of the address that all of them share.
#[derive(Deserialize)]
struct Named {
    table: String,
}

impl At {
    /// The seat as which it acts.
    ///
    /// # Errors
    /// `serve::seat` if it has none such.
    pub fn seat(&self) -> Result<usize, Problem> {
        self.who.seat(&self.table.facts(), self.page.seat.as_deref())
    }

    /// As whom it looks.
    ///
    /// # Errors
    /// `serve::seat` if it may not.
    pub fn viewer(&self) -> Result<Viewer, Problem> {
        self.who.viewer(&self.table.facts(), self.page.seat.as_deref())
    }

    /// Does something at the table, alone.
    ///
    /// # Errors
    /// What the work answers, or why the table cannot be woken.
    pub async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Sitting<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.table.with(&self.app.hall, work).await
    }

    /// Others may have to decide now: bots do so at once.
    pub fn wake_bots(&self) {
        self.table.wake_bots(&self.app.hall);
    }
}

impl FromRequestParts<App> for At {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let Path(Named { table }) = Path::from_request_parts(parts, app).await?;
        let Query(page) = Query::from_request_parts(parts, app).await?;
        Ok(Self { app: app.clone(), table: app.hall.table(&table)?, page, who: Who::of(&parts.headers) })
    }
}
