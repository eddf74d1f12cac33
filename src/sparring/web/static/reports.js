// The reports that runs and studies leave behind, each shut into a frame of its own.
import { h } from "./dom.js";
import { call, inside } from "./server.js";

export const all = { show: showAll };
export const one = { show: showOne };

async function showAll() {
  const reports = await call("/api/reports");
  return [
    h("div", { class: "head" }, h("h1", null, "Reports"), h("p", null, "Studies re-run and trainings summed up. Every figure has its numbers with it, as CSV.")),
    reports.length
      ? h("ul", { class: "list" }, reports.map(({ name, title }) => h("li", null, h("a", { class: "item", href: `#/reports/${inside(name)}` }, h("span", { class: "grow" }, h("strong", null, title), h("span", { class: "quiet" }, ` · ${name}`))))))
      : h("p", { class: "empty" }, "There is no report yet. Make one: sparring report runs/NAME, or sparring reproduce STUDY"),
  ];
}

async function showOne({ name }) {
  const reports = await call("/api/reports");
  const title = reports.find((report) => report.name === name)?.title ?? name;
  const source = `/reports/${inside(name)}`;
  return [
    h("div", { class: "row spread" }, h("div", { class: "head" }, h("h1", null, title)), h("a", { class: "button", href: source, target: "_blank", rel: "noopener" }, "Open it alone")),
    h("iframe", { class: "report", src: source, title, sandbox: "allow-downloads allow-scripts allow-popups" }),
  ];
}
