"use strict";
/* What the page of an agreement says, in each language. */

const messages = {
  en: {
    "app.language": "中文",
    "app.language.label": "切换到中文",
    "app.theme": "Light or dark",
    "agreement.what": "Where annotators differ",
    figures: "How far they agree, in figures",
    "choose.label": "Sentences",
    "choose.all": "all that differ or are flagged",
    "choose.alone": "in which {name} differs from all others",
    "choose.flagged": "that are flagged",
    counts: "{shown} of {all}",
    remarks: "What annotators said",
    flagged: "flagged",
    none: "There is no such sentence.",
  },
  zh: {
    "app.language": "English",
    "app.language.label": "Switch to English",
    "app.theme": "浅色或深色",
    "agreement.what": "标注者的分歧",
    figures: "一致性数据",
    "choose.label": "句子",
    "choose.all": "所有有分歧或有标记的",
    "choose.alone": "{name} 与其他人都不同的",
    "choose.flagged": "有标记的",
    counts: "共 {all} 句，显示 {shown} 句",
    remarks: "标注者的意见",
    flagged: "有标记",
    none: "没有这样的句子。",
  },
};
