/** Searches the guides and the error pages: their index is read from this service when the field is first used. */
(() => {
  const MOST = 12;
  const AROUND = 70;
  const form = document.getElementById("search");
  const field = document.getElementById("search-field");
  const found = document.getElementById("found");
  const said = document.getElementById("found-count");

  const folded = (text) => text.toLowerCase().normalize("NFKD");
  const wordsOf = (text) => folded(text).match(/[\p{L}\p{N}_]+/gu) ?? [];

  let index;
  const load = () => {
    index ??= fetch(form.dataset.index)
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`HTTP ${response.status}`))))
      .then((sections) =>
        sections.map((section) => ({
          ...section,
          places: [folded(section.title), folded(section.heading), folded(section.text)],
        })),
      );
    index.catch(() => {
      index = undefined;
    });
    return index;
  };

  /** Every word must be somewhere in the section; one in a title says most. */
  const scoreOf = ({ places: [title, heading, text] }, words) =>
    words.reduce((score, word) => {
      const here = (title.includes(word) ? 9 : 0) + (heading.includes(word) ? 6 : 0) + Math.min(3, text.split(word).length - 1);
      return here === 0 ? Number.NaN : score + here;
    }, 0);

  const excerptOf = ({ text }, words) => {
    const at = Math.max(0, folded(text).indexOf(words.find((word) => folded(text).includes(word)) ?? ""));
    const from = Math.max(0, at - AROUND);
    return `${from > 0 ? "…" : ""}${text.slice(from, at + AROUND * 2)}${text.length > at + AROUND * 2 ? "…" : ""}`;
  };

  const rowOf = (section, words) => {
    const row = document.createElement("li");
    const link = document.createElement("a");
    link.href = section.path;
    link.textContent = section.heading === "" ? section.title : `${section.title}: ${section.heading}`;
    const excerpt = document.createElement("p");
    excerpt.textContent = excerptOf(section, words);
    row.append(link, excerpt);
    return row;
  };

  const show = async () => {
    const asked = field.value;
    const words = wordsOf(asked);
    if (words.length === 0) {
      found.replaceChildren();
      said.textContent = "";
      return;
    }
    try {
      const scored = (await load())
        .map((section) => ({ section, score: scoreOf(section, words) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score);
      // It may have been typed on meanwhile.
      if (field.value !== asked) return;
      found.replaceChildren(...scored.slice(0, MOST).map(({ section }) => rowOf(section, words)));
      said.textContent =
        scored.length === 0
          ? "Nothing found."
          : scored.length > MOST
            ? `The best ${MOST} of ${scored.length} sections.`
            : `${scored.length} ${scored.length === 1 ? "section" : "sections"}.`;
    } catch {
      said.textContent = "The search cannot be used: the service does not answer.";
    }
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    found.querySelector("a")?.click();
  });
  field.addEventListener("focus", () => void load().catch(() => undefined));
  field.addEventListener("input", () => void show());
})();
