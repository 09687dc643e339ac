schedule! {
    struct Frame { steer, || {}, heal }
}
