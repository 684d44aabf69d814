// Makes the search work from disk. Browsers start no worker at a file:// address. Here the script of
// the worker runs in a hidden frame instead, and its messages are events.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.scope = frame.contentWindow;
      this.scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.scope.importScripts = async (...addresses) => {
        for (const src of addresses) await load(this.scope.document, src);
      };
      this.ready = load(this.scope.document, new URL(address, location).href);
      this.remove = () => frame.remove();
    }

    async postMessage(data) {
      await this.ready;
      this.scope.dispatchEvent(new this.scope.MessageEvent("message", { data }));
    }

    terminate() {
      this.remove();
    }
  };

  function load(document, src) {
    return new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src });
      script.onload = resolve;
      script.onerror = () => reject(new Error(`cannot load ${src}`));
      document.head.append(script);
    });
  }
}
