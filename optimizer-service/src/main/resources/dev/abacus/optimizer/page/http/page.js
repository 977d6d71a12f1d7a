// Shows that the optimizer does not answer, until it answers again.
document.addEventListener("DOMContentLoaded", () => {
  const stale = document.getElementById("stale");
  const show = (hidden) => () => { stale.hidden = hidden; };
  document.body.addEventListener("htmx:sendError", show(false));
  document.body.addEventListener("htmx:responseError", show(false));
  document.body.addEventListener("htmx:beforeOnLoad", (event) => { stale.hidden = event.detail.xhr.status < 400; });
});
// Names the cells of a table by its columns, so that on a phone each row stands by itself.
document.addEventListener("htmx:load", (event) => {
  for (const table of event.target.querySelectorAll("table")) {
    const names = [...table.querySelectorAll("thead th")].map((head) => head.dataset.label ?? head.textContent);
    table.querySelectorAll("tbody tr").forEach((row) => [...row.cells].forEach((cell, i) => { cell.dataset.label = names[i]; }));
    table.classList.add("named");
  }
});
// A key presses the button or link that names it, except while a visitor writes.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.target.closest("input, select, textarea")) return;
  document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});
