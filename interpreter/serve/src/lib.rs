//! Blazon in the browser.
