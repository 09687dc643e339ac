use ecs::__private::Target;
use engine::Account;

fn show<T: Target>() {
    T::Projection::shown((&1_000_000, &7));
}

fn main() {
    show::<Account>();
}
