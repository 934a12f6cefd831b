//! Tests of Blazon from outside; see the `tests` folder.
