//! The example `airspace`, as a user starts it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;

const HEADER: &str =
    "time_s,icao24,callsign,lat,lon,altitude_ft,groundspeed_kt,track_deg,vertical_rate_fpm";

const PROGRAM: &str = env!("CARGO_BIN_EXE_airspace");

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().expect("the example starts")
}

/// Returns the output of a successful run of the example.
fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?} failed: {stderr}");
    assert_eq!(stderr, "", "no progress bar where there is no terminal");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

/// The line for other programs, which is the last one.
fn last_line(arguments: &[&str]) -> String {
    stdout(arguments).lines().last().unwrap_or_default().to_owned()
}

/// Returns the error output of a failed run of the example.
fn stderr(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?} should fail");
    assert!(output.stdout.is_empty(), "a failure prints no result");
    String::from_utf8(output.stderr).expect("messages are UTF-8")
}

/// A file of this test run.
fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes reports to a file and returns its name.
fn recording(name: &str, rows: &str) -> String {
    let path = temporary(name);
    fs::write(&path, format!("{HEADER}\n{rows}")).expect("the file can be written");
    path.display().to_string()
}

#[test]
fn the_shipped_recording() {
    let expected = "reports=14602 flights=88 ticks=720 peak=31 audible=6183 passes=78 nearest=AFR69CR 0.15km t=2710";
    assert_eq!(last_line(&[]), expected);
    assert_eq!(last_line(&["--airport", "lfpo"]), expected, "codes in either case");
}

/// Threads and clocks change nothing: neither of the line nor of the map, on one thread or several.
#[test]
fn systems_come_to_the_same_however_they_are_shared() {
    let svg = temporary("shared.svg").display().to_string();
    let played = |threads: &str, sharing: &str| {
        let arguments = ["--svg", &svg, "--sharing", sharing];
        let mut command = Command::new(PROGRAM);
        let output = command.args(arguments).env("RAYON_NUM_THREADS", threads).output();
        let output = output.expect("the example starts");
        assert!(output.status.success(), "{sharing} on {threads}");
        (output.stdout, fs::read_to_string(&svg).expect("the map was written"))
    };
    let expected = played("1", "never");
    for (threads, sharing) in [("1", "always"), ("2", "always"), ("3", "always"), ("2", "measured")]
    {
        assert!(played(threads, sharing) == expected, "{sharing} on {threads}");
    }
    assert!(String::from_utf8_lossy(&expected.0).ends_with("nearest=AFR69CR 0.15km t=2710\n"));
}

/// An hour that is saved in the middle and goes on in a new process comes to the same table, line and map, and to the
/// same bytes.
#[test]
fn a_saved_replay_goes_on_in_another_process() {
    let [half, end, whole, svg] = ["half.ecs", "end.ecs", "whole.ecs", "saved.svg"]
        .map(|name| temporary(name).display().to_string());
    let map = || fs::read_to_string(&svg).expect("the map was written");
    let expected = (stdout(&["--svg", &svg, "--save", &whole]), map());
    for until in ["-1", "0", "1800", "2707.5", "3599"] {
        stdout(&[&format!("--until={until}"), "--save", &half]);
        let resumed = (stdout(&["--resume", &half, "--svg", &svg, "--save", &end]), map());
        assert!(resumed == expected, "saved at {until}");
        assert!(fs::read(&end).unwrap() == fs::read(&whole).unwrap(), "saved at {until}");
    }
    // Another airport's, and twice in the middle.
    let lfpg = stdout(&["--airport", "LFPG"]);
    stdout(&["--airport", "LFPG", "--until", "1000", "--save", &half]);
    stdout(&["--resume", &half, "--until", "2000", "--save", &end]);
    assert_eq!(stdout(&["--resume", &end]), lfpg);
}

#[test]
fn invalid_saved_files_are_refused() {
    let file = temporary("wrong.ecs").display().to_string();
    let refused = |bytes: &[u8], words: &str| {
        fs::write(&file, bytes).unwrap();
        let expected = format!("error: cannot go on from {file}: {words}");
        let said = stderr(&["--resume", &file]);
        assert!(said.starts_with(&expected), "{said}");
    };
    refused(b"PNG", "cannot load a world, at byte 0: these are not the bytes of a saved world");
    stdout(&["--until", "600", "--save", &file]);
    let bytes = fs::read(&file).unwrap();
    refused(&bytes[..bytes.len() - 9], "cannot load ");
    // A world with a flight that is not in the saved list.
    let at = bytes.windows(6).position(|window| window == b"flight").unwrap();
    let length = at + 6 + 1 + 4; // behind the name, the version and the fingerprint
    let values = length + 8;
    let mut wrong = bytes.clone();
    let last = values
        + usize::try_from(u64::from_le_bytes(bytes[length..values].try_into().unwrap())).unwrap()
        - 1;
    wrong[last] = 0x7f;
    refused(&wrong, "a flight is none that is known");
}

/// The expectations come from an independent computation in Python.
#[test]
fn other_airports() {
    let cases = [
        ("LFPG", "audible=7197 passes=81 nearest=AFL2461 1.91km t=870"),
        ("LFPB", "audible=7018 passes=81 nearest=NJE612F 0.03km t=590"),
        ("LFOB", "audible=792 passes=17 nearest=WZZ1305 6.20km t=900"),
        ("EGLL", "audible=0 passes=0 nearest=none"),
    ];
    for (icao, expected) in cases {
        let expected = format!("reports=14602 flights=88 ticks=720 peak=31 {expected}");
        assert_eq!(last_line(&["--airport", icao]), expected);
    }
}

#[test]
fn people_get_a_table() {
    let output = stdout(&[]);
    assert!(output.starts_with("Paris-Orly Airport (LFPO), Paris: the nearest 10 of 78 passes\n"));
    let passes = ["AFR69CR", "VLG8030", "TVF78YY"].map(|flight| output.find(flight));
    assert!(passes.is_sorted() && passes[0].is_some(), "nearest first:\n{output}");
    assert!(stdout(&["--airport", "EGLL"]).contains("no flight was audible"));
}

#[test]
fn gzipped_recordings() {
    let path = temporary("flights.csv.gz");
    let plain = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/flights.csv");
    let mut encoder = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
    encoder.write_all(&fs::read(plain).unwrap()).unwrap();
    encoder.finish().unwrap();
    let path = path.display().to_string();
    assert_eq!(last_line(&["--flights", &path]), last_line(&[]));

    let torn = temporary("torn.csv.gz");
    fs::write(&torn, &fs::read(&path).unwrap()[..9_000]).unwrap();
    let message = stderr(&["--flights", &torn.display().to_string()]);
    assert!(message.starts_with("error: cannot read ") && message.contains("torn.csv.gz: "));
}

/// A flight that returns is alive again and listed once.
#[test]
fn flights_come_back() {
    let rows = "\
0,aaaaaa,AAA1,48.8,2.4,2000,0,0,0
0,bbbbbb,,48.9,2.4,2000,0,0,0
60,bbbbbb,,48.9,2.4,2000,0,0,0
65,bbbbbb,,48.9,2.4,2000,0,0,0
70,aaaaaa,AAA1,48.8,2.4,2000,0,0,0
70,aaaaaa,AAA2,60.0,2.4,2000,0,0,0
131,bbbbbb,,48.72528,2.35944,1291,0,0,0
";
    // Audible: two at 0 and 60, where AAA1's report is no more than 60 s old; one at 65; two at 70;
    // one at 131.
    let path = recording("back.csv", rows);
    let expected =
        "reports=7 flights=3 ticks=5 peak=3 audible=8 passes=2 nearest=bbbbbb 0.30km t=131";
    assert_eq!(last_line(&["--flights", &path]), expected);
}

/// A flight falls silent when it climbs or leaves; 10,000 ft above Orly, which is at 291 ft, is too
/// high by the last foot.
#[test]
fn flights_fall_silent() {
    let rows = "\
0,aaaaaa,HIGH,48.72528,2.35944,10291,0,0,0
5,aaaaaa,HIGH,48.72528,2.35944,10290,0,0,0
10,aaaaaa,HIGH,48.72528,2.35944,10291,0,0,0
15,bbbbbb,FAR,48.72528,3.05,291,0,0,0
20,bbbbbb,FAR,48.72528,3.03,291,0,0,0
25,bbbbbb,FAR,48.72528,3.05,291,0,0,0
";
    let path = recording("silent.csv", rows);
    let expected = "reports=6 flights=2 ticks=6 peak=2 audible=2 passes=2 nearest=HIGH 3.05km t=5";
    assert_eq!(last_line(&["--flights", &path]), expected);
    let table = stdout(&["--flights", &path]);
    for (flight, heard) in [("HIGH", " 5–10 "), ("FAR", " 20–25 ")] {
        let row = table.lines().find(|line| line.contains(flight)).expect("it was audible");
        assert!(row.contains(heard), "{row}");
    }
}

#[test]
fn an_empty_recording() {
    let path = recording("empty.csv", "");
    let expected = "reports=0 flights=0 ticks=0 peak=0 audible=0 passes=0 nearest=none";
    assert_eq!(last_line(&["--flights", &path]), expected);
}

#[test]
fn malformed_rows_are_pointed_at() {
    let good = "0,3944f0,AFR1,48.7,2.3,2000,150,90,0\n";
    let cases = [
        ("5,3944f0,AFR1,north,2.3,2000,150,90,0", "lat: `north` is not a number"),
        ("5,3944f0,AFR1,48.7,999,2000,150,90,0", "lon: 999 is not between -180 and 180"),
        ("5,3944f0,AFR1,48.7,2.3,,150,90,0", "altitude_ft: empty"),
        ("5,3944f0,AFR1,48.7", "lon: missing, the row has 4 of 9 fields"),
        (
            "-5,3944f0,AFR1,48.7,2.3,2000,150,90,0",
            "time_s: -5 comes after 0, but time must not go back",
        ),
    ];
    for (index, (row, expected)) in cases.into_iter().enumerate() {
        let path = recording(&format!("malformed{index}.csv"), &format!("{good}{row}\n"));
        let expected = format!("error: {path}: line 3, column {expected}\n");
        assert_eq!(stderr(&["--flights", &path]), expected);
    }
    let missing = stderr(&["--flights", "no/such/file.csv"]);
    assert!(missing.starts_with("error: cannot read no/such/file.csv: "), "{missing}");
}

#[test]
fn unknown_airports_get_suggestions() {
    let suggested = |airport, icao: &str| {
        let message = stderr(&["--airport", airport]);
        let start = format!("error: no airport `{airport}` in ");
        assert!(message.starts_with(&start), "{message}");
        assert!(message.contains("; did you mean ") && message.contains(icao), "{message}");
    };
    suggested("ORY", "LFPO (Paris-Orly Airport, ORY)");
    suggested("Orly", "LFPO");
    suggested("LFPX", "LFPO");
    suggested("LPFO", "LFPO");
    suggested("Heathrow", "EGLL");
    assert!(!stderr(&["--airport", "?!"]).contains("did you mean"));
}

#[test]
fn the_map() {
    let path = temporary("map.svg");
    let last = last_line(&["--svg", &path.display().to_string()]);
    assert_eq!(last, last_line(&[]), "drawing changes no figure");

    let mut content = String::new();
    let mut paths = 0;
    for event in svg::open(&path, &mut content).expect("the map was written") {
        match event {
            svg::parser::Event::Error(error) => panic!("not an SVG: {error}"),
            svg::parser::Event::Tag("path", ..) => paths += 1,
            _ => {}
        }
    }
    assert!(paths > 1_000, "only {paths} strokes");
    for expected in [
        "viewBox=",
        "Air traffic around Paris-Orly Airport (LFPO)",
        "class=\"audible\"",
        "class=\"range\"",
        "height above the airport",
        "audible part of a track",
        "km east of LFPO",
        "nearest pass: AFR69CR",
    ] {
        assert!(content.contains(expected), "no `{expected}` on the map");
    }
    let nowhere = stderr(&["--svg", "no/such/folder/map.svg"]);
    assert!(nowhere.starts_with("error: cannot write no/such/folder/map.svg: "), "{nowhere}");
}

#[test]
fn the_timeline_of_a_tick() {
    let path = temporary("tick.svg");
    let file = path.display().to_string();
    for sharing in ["never", "always"] {
        let last = last_line(&["--timeline", &file, "--sharing", sharing]);
        assert_eq!(last, last_line(&[]), "drawing changes no figure");
        let picture = fs::read_to_string(&path).expect("the timeline was written");
        assert!(picture.starts_with("<svg"), "{picture}");
        for system in ["despawn_lost", "count", "follow_passes", "listen"] {
            assert!(picture.contains(system), "no `{system}` in {picture}");
        }
        assert!(!picture.contains("record_tracks"), "no tracks were asked for");
    }
    let nowhere = stderr(&["--timeline", "no/such/folder/tick.svg"]);
    assert!(nowhere.starts_with("error: cannot write no/such/folder/tick.svg: "), "{nowhere}");
}
