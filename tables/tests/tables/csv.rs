//! CSV: writing, reading and refusals.

use ecs_tables::{Columns, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Line {
    text: Option<String>,
    number: Option<i16>,
    float: f64,
    flag: bool,
}

fn line(text: Option<&str>, number: Option<i16>, float: f64) -> Line {
    Line { text: text.map(str::to_owned), number, float, flag: number.is_some() }
}

fn written(lines: &[Line]) -> String {
    let mut csv = Vec::new();
    let table = Table::of_records(&Columns::of::<Line>().unwrap(), lines).unwrap();
    table.write_csv(&mut csv).unwrap();
    String::from_utf8(csv).unwrap()
}

fn read(csv: &str, nulls: &[&str]) -> Result<Vec<Line>, String> {
    let columns = Columns::of::<Line>().unwrap();
    let table = Table::read_csv(csv.as_bytes(), &columns, nulls).map_err(|it| it.to_string())?;
    table.records().map_err(|error| error.to_string())
}

#[test]
fn null_and_the_empty_text_stay_apart() {
    let lines =
        [line(None, None, 0.0), line(Some(""), Some(-1), -0.5), line(Some("NA"), None, 1e300)];
    let csv = written(&lines);
    assert_eq!(csv, "text,number,float,flag\n,,0.0,false\n\"\",-1,-0.5,true\nNA,,1e300,false\n");
    assert_eq!(read(&csv, &[]).unwrap(), lines);
    assert_eq!(read(&csv, &["NA"]).unwrap()[2].text, None);
}

#[test]
fn one_column_of_null_and_the_empty_text_comes_back() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct One {
        text: Option<String>,
    }
    let all = [None, Some(""), Some("a"), None].map(|it| One { text: it.map(str::to_owned) });
    let columns = Columns::of::<One>().unwrap();
    let mut csv = Vec::new();
    Table::of_records(&columns, &all).unwrap().write_csv(&mut csv).unwrap();
    assert_eq!(csv, b"text\n\n\"\"\na\n\n");
    let table = Table::read_csv(&csv[..], &columns, &[]).unwrap();
    assert_eq!(table.records::<One>().unwrap(), all);
}

#[test]
fn quotes_commas_and_line_ends_are_text_within_quotes() {
    let texts = ["a,b", "\"", "\"\"x", "two\nlines", "a\r\nb", "\r", " a ", "ü"];
    let lines: Vec<_> = texts.iter().map(|text| line(Some(text), None, 0.0)).collect();
    assert_eq!(read(&written(&lines), &[]).unwrap(), lines);
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let csv = "flag,other,float,number,text\r\nTRUE,x,1,7.0,a\r\nfalse,\"y\",NaN,,\"NA\"";
    let lines = read(csv, &["NA"]).unwrap();
    assert_eq!(lines[0], Line { flag: true, ..line(Some("a"), Some(7), 1.0) });
    assert!(lines[1].float.is_nan() && lines[1].text.as_deref() == Some("NA"));
    assert_eq!(read(&format!("\u{feff}{csv}"), &["NA"]).unwrap().len(), 2);
}

#[test]
fn bad_lines_are_refused_by_their_number() {
    let head = "text,number,float,flag\n";
    let why = |rest: &str| read(&format!("{head}\"a\nb\",1,1.0,true\n{rest}"), &[]).unwrap_err();
    assert_eq!(why("a,1,1.0\n"), "line 4: there are 3 fields, and 4 columns");
    assert_eq!(why("a,1,1.0,true,x\n"), "line 4: there are 5 fields, and 4 columns");
    assert_eq!(
        why("a,x,1.0,true\n"),
        "line 4: \"x\" does not fit column `number` of Int16 or null"
    );
    assert_eq!(
        why("a,40000,1.0,true\n"),
        "line 4: 40000 does not fit column `number` of Int16 or null"
    );
    assert_eq!(
        why("a,1.5,1.0,true\n"),
        "line 4: 1.5 does not fit column `number` of Int16 or null"
    );
    assert_eq!(why("a,1,,true\n"), "line 4: null does not fit column `float` of Float64");
    assert_eq!(why("a,1,1,2\n"), "line 4: \"2\" does not fit column `flag` of Boolean");
    assert_eq!(why("a,1,x,true\n"), "line 4: \"x\" does not fit column `float` of Float64");
    assert_eq!(why("\"a,1,1,true\n"), "line 4: a quote is not closed");
    assert_eq!(why("\"a\"b,1,1,true\n"), "line 4: there is text behind a closing quote");
    assert_eq!(read("", &[]).unwrap_err(), "line 1: there are no names of columns");
    assert_eq!(
        read("text,number,flag\n", &[]).unwrap_err(),
        "there is no column `float` among text, number, flag"
    );
    assert_eq!(
        read("text,number,float,flag,text\n", &[]).unwrap_err(),
        "two columns are named `text`: rename one"
    );
    let columns = Columns::of::<Line>().unwrap();
    let error = Table::read_csv(&b"text\xff"[..], &columns, &[]).unwrap_err();
    assert!(error.to_string().starts_with("the file failed: "), "{error}");
}
