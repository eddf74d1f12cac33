for (const replay of document.querySelectorAll(".replay")) {
  const frames = replay.querySelectorAll(".frame"), last = frames.length - 1;
  const slider = replay.querySelector("input"), count = replay.querySelector("output");
  const buttons = Object.fromEntries([...replay.querySelectorAll("button")].map(b => [b.dataset.go, b]));
  const targets = { first: () => 0, previous: n => n - 1, next: n => n + 1, last: () => last };
  const keys = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };
  let now = 0;
  const show = wanted => {
    frames[now].hidden = true;
    now = Math.min(last, Math.max(0, wanted));
    frames[now].hidden = false;
    slider.value = now;
    slider.setAttribute("aria-valuetext", frames[now].querySelector("p").textContent);
    count.textContent = `${now + 1} of ${last + 1}`;
    buttons.first.disabled = buttons.previous.disabled = now === 0;
    buttons.last.disabled = buttons.next.disabled = now === last;
  };
  for (const [go, button] of Object.entries(buttons)) button.addEventListener("click", () => show(targets[go](now)));
  slider.addEventListener("input", () => show(Number(slider.value)));
  replay.addEventListener("keydown", event => {
    if (event.target === slider || !(event.key in keys)) return;
    event.preventDefault();
    show(targets[keys[event.key]](now));
  });
  replay.querySelector(".controls").hidden = false;
  show(0);
}
