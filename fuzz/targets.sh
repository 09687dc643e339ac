# What `run` and `keep` share: all targets, where they are built, and the program of each.
all=(files texts deltas change_sets queries derives schedules operations)
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=$PWD/../target/fuzz

program() {
    local name=data
    case $1 in
        derives) name=derives ;;
        schedules | operations) name=model ;;
    esac
    echo "$CARGO_TARGET_DIR/$host/release/$name"
}
