// Reports of runs and studies, each in an isolated frame.
import { h, heading } from "./dom.js";
import { call, inside } from "./server.js";

export const all = { show: showAll };
export const one = { show: showOne };

async function showAll() {
  const reports = await call("/api/reports");
  const item = ({ name, title }) => h("li", null, h("a", { class: "item", href: `#/reports/${inside(name)}` }, h("span", { class: "grow" }, h("strong", null, title), h("span", { class: "quiet" }, ` · ${name}`))));
  return [
    heading("Reports", "Reports of studies and runs. Every figure includes its data as CSV."),
    reports.length ? h("ul", { class: "list" }, reports.map(item)) : h("p", { class: "empty" }, "No reports yet. Create one with: sparring report runs/NAME, or sparring reproduce STUDY"),
  ];
}

async function showOne({ name }) {
  const reports = await call("/api/reports");
  const title = reports.find((report) => report.name === name)?.title;
  if (!title) throw new Error("There is no such report.");
  const source = `/reports/${inside(name)}`;
  return [
    h("div", { class: "row spread" }, heading(title), h("a", { class: "button", href: source, target: "_blank", rel: "noopener" }, "Open in a new tab")),
    h("iframe", { class: "report", src: source, title, sandbox: "allow-downloads allow-scripts allow-popups" }),
  ];
}
