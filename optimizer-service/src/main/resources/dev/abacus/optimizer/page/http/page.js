// Shows that the optimizer does not answer, until it answers again.
document.addEventListener("DOMContentLoaded", () => {
  const stale = document.getElementById("stale");
  const show = (hidden) => () => { stale.hidden = hidden; };
  document.body.addEventListener("htmx:sendError", show(false));
  document.body.addEventListener("htmx:responseError", show(false));
  document.body.addEventListener("htmx:beforeOnLoad", (event) => { stale.hidden = event.detail.xhr.status < 400; });
});
