"use strict";
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  const cell = (body, column) => body.rows[0].cells[column];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    const bodies = [...table.tBodies];
    const texts = new Map(bodies.map((body) => [body, cell(body, column).textContent.trim()]));
    const numbers = new Map(bodies.map((body) => [body, Number(cell(body, column).dataset.number)]));
    // An empty cell stays last in both directions.
    bodies.sort((one, other) => {
      const [a, b] = [texts.get(one), texts.get(other)];
      if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
      const [m, n] = [numbers.get(one), numbers.get(other)];
      if (!Number.isNaN(m) && !Number.isNaN(n)) return m === n ? 0 : (m < n ? -sign : sign);
      return sign * a.localeCompare(b, "en", { numeric: true });
    });
    table.append(...bodies);
  }));
}
for (const form of document.querySelectorAll(".filter")) {
  const bodies = [...document.getElementById(form.dataset.for).tBodies];
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/);
    const wanted = form.elements.verdict ? form.elements.verdict.value : "";
    let shown = 0;
    for (const body of bodies) {
      const text = body.textContent.toLowerCase();
      const verdict = body.dataset.verdict;
      body.hidden = !words.every((word) => text.includes(word))
        || (wanted === "fails" ? verdict === "holds" : wanted !== "" && verdict !== wanted);
      shown += body.hidden ? 0 : 1;
    }
    const count = shown === bodies.length ? "" : `${shown} of `;
    form.querySelector("output").textContent = `${count}${bodies.length} rows`;
  });
}
