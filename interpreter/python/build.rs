//! Python modules are linked without Python on macOS, too, where that takes a flag.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
