//! The files of the inspector.

use crate::options::Page;
use std::borrow::Cow;

macro_rules! pages {
    ($($path:literal $content_type:literal $file:literal;)*) => {
        &[$(Page {
            path: Cow::Borrowed($path),
            content_type: concat!($content_type, "; charset=utf-8"),
            body: include_str!(concat!("page/", $file)),
        }),*]
    };
}

pub(crate) const ALL: &[Page] = pages! {
    "/" "text/html" "index.html";
    "/style.css" "text/css" "style.css";
    "/main.js" "text/javascript" "main.js";
    "/rpc.js" "text/javascript" "rpc.js";
    "/dom.js" "text/javascript" "dom.js";
    "/list.js" "text/javascript" "list.js";
    "/details.js" "text/javascript" "details.js";
    "/controls.js" "text/javascript" "controls.js";
    "/undo.js" "text/javascript" "undo.js";
    "/panels.js" "text/javascript" "panels.js";
};
