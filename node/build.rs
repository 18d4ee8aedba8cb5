//! Tells the linker that Node has the functions of its interface.

fn main() {
    napi_build::setup();
}
