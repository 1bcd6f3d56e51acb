// The look of a report, and the script that draws its curves anew: over steps, epochs or time,
// smoothed or not, with a piece of the axis drawn large.
#include "hearth/tracking/report/report_parts.h"

namespace hearth {

const char* const kReportStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}h1,h2,h3{line-height:1.2}small{color:#666;font-weight:normal}"
    "table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left;"
    "vertical-align:top}th{color:#555}.wide{overflow-x:auto}img{max-width:100%;border:1px solid "
    "#ddd}pre{background:#f5f5f5;padding:.8rem;overflow-x:auto}figure{margin:1rem 0}"
    ".confusion td,.confusion th{text-align:right;padding:.2rem .5rem}"
    ".chart svg,.chart canvas{width:100%;height:auto;max-width:60rem}.chart canvas{cursor:"
    "crosshair;touch-action:none}.bar{display:flex;gap:1rem;align-items:center;flex-wrap:wrap;"
    "font-size:14px}.legend span{margin-right:1.2rem;cursor:pointer;white-space:nowrap}"
    ".legend .off{opacity:.35}.legend i{display:inline-block;width:1.4rem;height:.22rem;"
    "margin-right:.4rem;vertical-align:middle}.reading{min-height:1.4rem;font-size:14px;"
    "color:#444}";

const char* const kReportScript = R"script(
'use strict';
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const WIDTH = 960, HEIGHT = 420, LEFT = 70, RIGHT = 14, TOP = 10, BOTTOM = 42;

function element(name, parent, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  parent.appendChild(made);
  return made;
}
function choice(parent, label, values, changed) {
  const box = element('label', parent, label + ' ');
  const select = element('select', box);
  for (const value of values) element('option', select, value);
  select.onchange = () => changed(select.value);
}
function number(value) {
  if (value === null) return 'no number';
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(3) : String(+value.toPrecision(5));
}
function ticks(from, to, wanted) {
  const rough = (to - from) / wanted, power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = power * ([1, 2, 2.5, 5, 10].find(factor => rough <= factor * power * 1.000001) || 10);
  const all = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; ++i) all.push(i === 0 ? 0 : i * step);
  return all;
}
// The same between two exponents of ten.
function logTicks(low, high) {
  if (high - low < 1) return ticks(Math.pow(10, low), Math.pow(10, high), 6);
  const all = [], factors = high - low < 3 ? [1, 2, 5] : [1];
  for (let i = Math.floor(low); i <= high; ++i)
    for (const factor of factors) all.push(factor * Math.pow(10, i));
  return all.filter(value => Math.log10(value) >= low && Math.log10(value) <= high);
}
// An average that leans on few values at first; what was measured stays behind it.
function smooth(values, weight) {
  let sum = 0, share = 0;
  return values.map(value => {
    if (value === null) return null;
    sum = weight * sum + (1 - weight) * value;
    share = weight * share + (1 - weight);
    return sum / share;
  });
}

function makeChart(figure) {
  const data = JSON.parse(figure.querySelector('script').textContent);
  const still = figure.querySelector('svg');
  const view = {x: 'step', log: false, weight: 0, from: null, to: null, off: new Set()};
  const title = element('h3', figure, data.title);
  const bar = element('div', figure);
  bar.className = 'bar';
  choice(bar, 'over', ['step', 'epoch', 'time'], value => { view.x = value; view.from = view.to = null; draw(); });
  choice(bar, 'values', ['even', 'logarithmic'], value => { view.log = value !== 'even'; draw(); });
  const label = element('label', bar, 'smooth ');
  const slider = element('input', label);
  Object.assign(slider, {type: 'range', min: 0, max: 0.99, step: 0.01, value: 0});
  const share = element('span', label, '0');
  slider.oninput = () => { view.weight = +slider.value; share.textContent = slider.value + (view.weight > 0 ? '; as measured behind it' : ''); draw(); };
  const back = element('button', bar, 'all of it');
  back.onclick = () => { view.from = view.to = null; draw(); };
  const legend = element('div', figure);
  legend.className = 'legend';
  data.lines.forEach((line, i) => {
    const entry = element('span', legend);
    element('i', entry).style.background = COLOURS[i % COLOURS.length];
    element('span', entry, line.name);
    entry.onclick = () => {
      view.off.has(i) ? view.off.delete(i) : view.off.add(i);
      entry.className = view.off.has(i) ? 'off' : '';
      draw();
    };
  });
  const canvas = element('canvas', figure);
  const reading = element('div', figure, 'Drag over a piece to draw it large; double click for all of it.');
  reading.className = 'reading';
  const scale = window.devicePixelRatio || 1;
  canvas.width = WIDTH * scale;
  canvas.height = HEIGHT * scale;
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  figure.insertBefore(title, figure.firstChild);
  still.remove();

  let axis = null;
  const good = value => value !== null && (!view.log || value > 0);
  function range() {
    let from = view.from, to = view.to;
    if (from === null) {
      from = Infinity; to = -Infinity;
      for (const line of data.lines) for (const x of line[view.x]) { from = Math.min(from, x); to = Math.max(to, x); }
    }
    if (!(from < to)) { from -= 1; to += 1; }
    let low = Infinity, high = -Infinity;
    data.lines.forEach((line, i) => {
      if (view.off.has(i)) return;
      line.value.forEach((value, k) => {
        if (!good(value) || line[view.x][k] < from || line[view.x][k] > to) return;
        low = Math.min(low, value); high = Math.max(high, value);
      });
    });
    if (low > high) { low = view.log ? 0.1 : 0; high = 1; }
    if (view.log) { low = Math.log10(low); high = Math.log10(high); }
    const room = (high - low) * 0.04 || Math.abs(high) * 0.1 || 1;
    axis = {from, to, low: low - room, high: high + room};
  }
  const across = x => LEFT + (x - axis.from) / (axis.to - axis.from) * (WIDTH - LEFT - RIGHT);
  const down = value => {
    const y = view.log ? Math.log10(value) : value;
    return HEIGHT - BOTTOM - (y - axis.low) / (axis.high - axis.low) * (HEIGHT - TOP - BOTTOM);
  };
  const isInView = x => x >= axis.from && x <= axis.to;
  function frame() {
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, WIDTH, HEIGHT);
    pen.font = '13px system-ui, sans-serif';
    pen.strokeStyle = '#e4e4e4';
    pen.fillStyle = '#666';
    pen.lineWidth = 1;
    pen.textAlign = 'center';
    for (const x of ticks(axis.from, axis.to, 8)) {
      pen.beginPath(); pen.moveTo(across(x), TOP); pen.lineTo(across(x), HEIGHT - BOTTOM); pen.stroke();
      pen.fillText(number(x), across(x), HEIGHT - BOTTOM + 17);
    }
    pen.fillText({step: 'steps', epoch: 'epochs', time: 'seconds since the run began'}[view.x],
                 (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6);
    pen.textAlign = 'right';
    for (const value of (view.log ? logTicks : (low, high) => ticks(low, high, 6))(axis.low, axis.high)) {
      pen.beginPath(); pen.moveTo(LEFT, down(value)); pen.lineTo(WIDTH - RIGHT, down(value)); pen.stroke();
      pen.fillText(number(value), LEFT - 8, down(value) + 4);
    }
  }
  function stroke(xs, values, colour, width, opacity, dashes) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width;
    pen.globalAlpha = opacity;
    pen.setLineDash(dashes);
    pen.beginPath();
    let goesOn = false;
    values.forEach((value, k) => {
      if (good(value)) goesOn ? pen.lineTo(across(xs[k]), down(value)) : pen.moveTo(across(xs[k]), down(value));
      goesOn = good(value);
    });
    pen.stroke();
    if (opacity === 1 && values.length <= 60) values.forEach((value, k) => {
      if (!good(value)) return;
      pen.beginPath(); pen.arc(across(xs[k]), down(value), 3, 0, 7); pen.fill();
    });
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }
  function draw() {
    range();
    frame();
    pen.save();
    pen.beginPath();
    pen.rect(LEFT - 4, 0, WIDTH - LEFT - RIGHT + 8, HEIGHT - BOTTOM + 4);
    pen.clip();
    data.lines.forEach((line, i) => {
      if (view.off.has(i)) return;
      const colour = COLOURS[i % COLOURS.length], dashes = i < COLOURS.length ? [] : [7, 4];
      if (view.weight > 0) stroke(line[view.x], line.value, colour, 1.2, 0.3, []);
      stroke(line[view.x], view.weight > 0 ? smooth(line.value, view.weight) : line.value, colour, 2, 1, dashes);
    });
    pen.restore();
  }
  const xOf = event => {
    const box = canvas.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    return axis.from + Math.min(1, Math.max(0, share)) * (axis.to - axis.from);
  };
  let begun = null;
  canvas.onpointerdown = event => { begun = xOf(event); canvas.setPointerCapture(event.pointerId); };
  canvas.onpointermove = event => {
    const x = xOf(event);
    draw();
    if (begun !== null) {
      pen.fillStyle = 'rgba(0,114,178,.15)';
      pen.fillRect(across(Math.min(begun, x)), TOP, Math.abs(across(x) - across(begun)), HEIGHT - TOP - BOTTOM);
    }
    const read = [];
    data.lines.forEach((line, i) => {
      if (view.off.has(i) || line.value.length === 0) return;
      let best = 0;
      line[view.x].forEach((at, k) => { if (Math.abs(at - x) < Math.abs(line[view.x][best] - x)) best = k; });
      if (isInView(line[view.x][best])) read.push(line.name + ' ' + number(line.value[best]) + ' at ' + view.x + ' ' + number(line[view.x][best]));
    });
    reading.textContent = read.join('   ');
  };
  canvas.onpointerup = event => {
    const x = xOf(event);
    if (begun !== null && Math.abs(across(x) - across(begun)) > 6) { [view.from, view.to] = [Math.min(begun, x), Math.max(begun, x)]; }
    begun = null;
    draw();
  };
  canvas.ondblclick = () => { view.from = view.to = null; draw(); };
  draw();
}
document.querySelectorAll('.chart').forEach(makeChart);
)script";

}  // namespace hearth
