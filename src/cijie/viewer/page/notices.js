/* What an annotator has to know about the work that is kept, until it is dealt with. */

import { button, byId, make, remembered, saveFile } from "./dom.js";
import { t, tn } from "./language.js";

/** The notices of a page: what is not saved first, then what asks for a decision. */
export function drawNotices(page) {
  const { store } = page.answers;
  if (store.isWriter === false) return [notice("elsewhere", t("elsewhere"), {})];
  const full = [...store.unsaved];
  const notices = [];
  if (full.length) {
    notices.push(
      notice("unsaved", `${tn("unsaved", full.length, { ids: named(page, full) })} ${t("unsaved.what")}`, {
        "unsaved.retry": () => page.retry(),
        "file.export": () => page.export(),
      }),
    );
  }
  const strange = store.strange().map(([id, text]) => [[id].flat()[0], text]);
  if (strange.length) {
    const message = tn("strange", strange.length, { ids: [...new Set(strange.map(([id]) => id))].join(", ") });
    notices.push(
      notice("strange", message, {
        "strange.save": () => {
          const lines = strange.map((pair) => `${JSON.stringify(pair)}\n`);
          saveFile(lines.join(""), "set-aside.jsonl");
        },
        "strange.discard": () => {
          store.discardStrange();
          page.draw();
        },
      }),
    );
  }
  if (page.effort.isAgreed === null) {
    const agree = (isAgreed) => () => {
      page.effort.agree(isAgreed);
      page.draw();
      page.focus();
    };
    notices.push(notice("effort", t("effort.ask"), { "effort.yes": agree(true), "effort.no": agree(false) }));
  }
  const { annotator } = page.sheet;
  const other = remembered.get(page.pageKey) ?? location.pathname; // the page that these answers are of
  if (!store.lastSaved) {
    notices.push(notice("empty", t("empty", { annotator }), { "file.import": () => byId("file").click() }));
  } else if (other !== location.pathname) {
    notices.push(
      notice("copy", t("copy", { annotator, other: decodeURI(other) }), {
        "copy.mine": () => {
          remembered.set(page.pageKey, location.pathname);
          page.draw();
        },
        "copy.apart": () => {
          remembered.set(page.apartKey, "yes");
          location.reload();
        },
      }),
    );
  }
  return notices;
}

function notice(kind, message, actions) {
  const buttons = Object.entries(actions).map(([key, action]) => 
    button(t(key), action, { "data-action": `${kind} ${key}` }),
  );
  return make(
    "div",
    { class: `notice ${kind}` },
    make("p", { text: message }),
    make("div", { class: "notice-buttons" }, ...buttons),
  );
}

/** The ids of some items, not too many. */
function named(page, numbers) {
  const ids = numbers.slice(0, 5).map((k) => page.sheet.items[k].id);
  return ids.join(", ") + (numbers.length > 5 ? ", …" : "");
}
