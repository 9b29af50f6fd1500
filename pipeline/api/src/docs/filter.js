
(() => {
  const nav = document.querySelector("nav"), box = document.createElement("input");
  box.type = "search";
  box.placeholder = "Filter operations and fields";
  box.setAttribute("aria-label", box.placeholder);
  const items = [...nav.querySelectorAll("li")].map((item) => {
    const target = document.getElementById(item.firstChild.hash.slice(1));
    return [item, (item.textContent + " " + target.id + " " + target.textContent).toLowerCase()];
  });
  const groups = [...nav.querySelectorAll("details")].map((group) => [group, group.open]);
  box.oninput = () => {
    const words = box.value.toLowerCase().split(/\s+/);
    for (const [item, text] of items) item.hidden = !words.every((word) => text.includes(word));
    for (const [group, open] of groups) {
      group.hidden = !group.querySelector("li:not([hidden])");
      group.open = box.value ? true : open;
    }
  };
  nav.querySelector("div").prepend(box);
})();
