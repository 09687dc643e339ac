// The map: it asks for a picture of the world some times a second, and moves flights on in between.

const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.hash.slice(1)).get("token");
const map = $("map"), pen = map.getContext("2d");
let frame = null, came = 0, picked = null, zoom = 1, id = 0;

async function call(method, params = {}) {
  const response = await fetch("/", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(error.message);
  return result;
}

const control = (value) => call("world.trigger_event", { event: "control", value }).then(update);

/** Light or dark: as the system is, until one is chosen. */
const system = matchMedia("(prefers-color-scheme: dark)");
const scheme = () => document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light");

/** The colours of the map in the present scheme, by their names in the style sheet. */
const paints = {};
function paint() {
  const probe = document.createElement("i");
  document.body.append(probe);
  for (const name of ["back", "ring", "main-ring", "mark", "runway", "name", "own", "landing"]) {
    probe.style.color = `var(--${name})`;
    paints[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  const stops = [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => colour(part * 38000));
  $("legend").style.background = `linear-gradient(to right, ${stops.join(", ")})`;
}

/** The colour of a height: from red on the ground to blue far up. */
const colour = (feet) => `hsl(${Math.min(250, Math.max(0, feet) / 38000 * 250)} 90% ${scheme() === "dark" ? 62 : 38}%)`;
const clock = (seconds) => new Date(Math.max(0, seconds) * 1000).toISOString().slice(11, 19);

let timer;
async function update() {
  clearTimeout(timer);
  try {
    frame = await call("radar.frame");
    came = performance.now();
    show();
  } catch (error) {
    $("time").textContent = "no connection";
  }
  timer = setTimeout(update, document.hidden ? 1000 : 200);
}

function show() {
  const { clock: { now_s, end_s, speed, is_running }, flights, nearest } = frame;
  $("time").textContent = clock(now_s);
  $("seek").max = end_s;
  if (document.activeElement !== $("seek")) $("seek").value = now_s;
  $("play").textContent = is_running ? "Pause" : "Play";
  if ([...$("speed").options].some((it) => it.value === String(speed))) $("speed").value = speed;
  $("count").textContent = `${flights.length} flights`;
  const alive = new Set(flights.map((it) => it.entity));
  $("nearest").replaceChildren(...nearest.map((line) => {
    const row = document.createElement("tr");
    row.className = alive.has(line.flight) ? "alive" : "";
    for (const text of [line.name, `${line.slant_km.toFixed(2)} km`, clock(line.time_s)]) row.insertCell().textContent = text;
    row.onclick = () => { if (alive.has(line.flight)) picked = line.flight; };
    return row;
  }));
  const flight = flights.find((it) => it.entity === picked);
  $("flight").hidden = !flight;
  if (flight) {
    const link = Object.assign(document.createElement("a"), { href: `/#pick=${flight.entity}${token ? `&token=${token}` : ""}`, target: "_blank", rel: "noopener", textContent: `entity ${flight.entity} ↗` });
    const title = Object.assign(document.createElement("strong"), { textContent: `${flight.name}  ` });
    const text = `${Math.round(flight.altitude_ft).toLocaleString("en")} ft, ${Math.round(flight.speed_kt)} kt${flight.runway ? `, approaching ${flight.runway}` : ""}`;
    $("flight").replaceChildren(title, link, document.createElement("br"), text);
  }
}

/** Kilometres on the map from its middle to its edge. */
const reach = () => 60 / zoom;
let scale = 1;
const at = (east, north) => [map.clientWidth / 2 + east * scale, map.clientHeight / 2 - north * scale];

/** A flight's place now: it goes on as it was heard last. */
function place(flight) {
  const { speed, is_running } = frame.clock;
  const hours = is_running ? Math.min(2, (performance.now() - came) / 1000) * speed / 3600 : 0;
  const way = flight.speed_kt * 1.852 * hours, track = flight.track_deg * Math.PI / 180;
  return at(flight.east + way * Math.sin(track), flight.north + way * Math.cos(track));
}

function line(points, style, width) {
  pen.beginPath();
  points.forEach(([x, y], step) => step ? pen.lineTo(x, y) : pen.moveTo(x, y));
  Object.assign(pen, { strokeStyle: style, lineWidth: width });
  pen.stroke();
}

function draw() {
  requestAnimationFrame(draw);
  const { clientWidth: width, clientHeight: height } = map;
  if (map.width !== width * devicePixelRatio || map.height !== height * devicePixelRatio) {
    [map.width, map.height] = [width * devicePixelRatio, height * devicePixelRatio];
  }
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  pen.clearRect(0, 0, width, height);
  scale = Math.min(width, height) / 2 / reach();
  pen.lineCap = pen.lineJoin = "round";
  const [x, y] = at(0, 0);
  pen.font = "11px system-ui";
  for (const km of [10, 20, 30, 40, 50, 75, 100]) {
    pen.beginPath();
    pen.arc(x, y, km * scale, 0, 2 * Math.PI);
    Object.assign(pen, { strokeStyle: paints[km === 50 ? "main-ring" : "ring"], lineWidth: 1, fillStyle: paints.mark });
    pen.stroke();
    pen.fillText(`${km} km`, x + 4, y - km * scale - 4);
  }
  line([at(-200, 0), at(200, 0)], paints.ring, 1);
  line([at(0, -200), at(0, 200)], paints.ring, 1);
  if (!frame) return;
  for (const { position, runway } of frame.runways) {
    const bearing = runway.bearing_deg * Math.PI / 180, half = runway.length_km / 2;
    const [east, north] = [Math.sin(bearing) * half, Math.cos(bearing) * half];
    line([at(position.east_km - east, position.north_km - north), at(position.east_km + east, position.north_km + north)], paints.runway, Math.max(2.5, scale * 0.12));
  }
  for (const flight of frame.flights) {
    const trail = flight.trail, own = flight.entity === picked;
    for (let step = 1; step < trail.length; step++) {
      pen.globalAlpha = (own ? 0.95 : 0.55) * step / trail.length;
      line([at(...trail[step - 1]), at(...trail[step])], colour(trail[step][2]), own ? 2.5 : 1.5);
    }
    pen.globalAlpha = 1;
    if (trail.length) line([at(...trail.at(-1)), place(flight)], colour(flight.altitude_ft), own ? 2.5 : 1.5);
  }
  for (const flight of frame.flights) blip(flight);
}

function blip(flight) {
  const [x, y] = place(flight), own = flight.entity === picked;
  pen.save();
  pen.translate(x, y);
  pen.rotate(flight.track_deg * Math.PI / 180);
  pen.beginPath();
  for (const [dx, dy] of [[0, -7], [4.5, 6], [0, 3], [-4.5, 6]]) pen.lineTo(dx, dy);
  pen.closePath();
  Object.assign(pen, { fillStyle: colour(flight.altitude_ft), strokeStyle: own ? paints.own : paints.back, lineWidth: own ? 2 : 1 });
  pen.fill();
  pen.stroke();
  pen.restore();
  if (own || flight.near) {
    pen.fillStyle = own ? paints.own : paints.name;
    pen.fillText(`${flight.name} ${Math.round(flight.altitude_ft / 100)}`, x + 9, y + 4);
    if (flight.runway) { pen.fillStyle = paints.landing; pen.fillText(`▸ ${flight.runway}`, x + 9, y + 16); }
  }
}

map.onclick = (event) => {
  const near = (frame?.flights ?? []).map((flight) => {
    const [x, y] = place(flight);
    return [Math.hypot(x - event.offsetX, y - event.offsetY), flight.entity];
  }).sort((a, b) => a[0] - b[0])[0];
  picked = near && near[0] < 20 ? near[1] : null;
  show();
};
map.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom = Math.min(12, Math.max(0.5, zoom * 1.0015 ** -event.deltaY));
}, { passive: false });
$("play").onclick = () => control(frame?.clock.is_running ? "Pause" : "Play");
$("back").onclick = () => frame && control({ Seek: frame.clock.now_s - 60 });
$("speed").onchange = () => control({ Speed: Number($("speed").value) });
$("seek").oninput = () => control({ Seek: Number($("seek").value) });
addEventListener("keydown", (event) => {
  if (event.target.matches("select, input, button")) return;
  const keys = { " ": () => $("play").click(), ArrowLeft: () => $("back").click(), ArrowRight: () => frame && control({ Seek: frame.clock.now_s + 60 }), "+": () => { zoom *= 1.3; }, "-": () => { zoom /= 1.3; } };
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
$("theme").onclick = () => {
  document.documentElement.dataset.theme = scheme() === "dark" ? "light" : "dark";
  paint();
};
system.onchange = paint;
paint();
update();
draw();
