/** Renders the reference from /openapi.json, sends its requests to this service, and keeps the key in memory only. */
(() => {
  const DAY_MS = 86_400_000;
  const root = document.getElementById("reference");
  const form = document.getElementById("key-form");
  const field = document.getElementById("key");

  const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

  /** Fields are pre-filled so that requests succeed today: recent windows, and optional fields left empty. */
  const startWith = (parameter) => {
    const { name, schema, required } = parameter;
    const isInstant = schema.format === "date-time";
    if (name === "from") parameter.example = daysAgo(14) + (isInstant ? "T00:00:00Z" : "");
    else if (name === "to") parameter.example = daysAgo(0) + (isInstant ? "T00:00:00Z" : "");
    else if (!required && schema.default === undefined) delete parameter.example;
  };

  const fit = (spec) => {
    // The description begins with it.
    delete spec.info.summary;
    spec.servers = [{ url: location.origin + root.dataset.base }];
    for (const path of Object.values(spec.paths)) {
      for (const operation of Object.values(path)) for (const parameter of operation.parameters ?? []) startWith(parameter);
    }
    return spec;
  };

  /** A padlock on the routes that need a key, open once there is one; the library also shows one where a key is optional. */
  const lockOf = (operation) => {
    const isOptional = operation.get("security")?.some((requirement) => requirement.isEmpty());
    return operation
      .set("isAuthorized", !operation.get("isAuthorized"))
      .update("security", (needed) => (isOptional ? needed.clear() : needed));
  };

  const own = () => ({
    wrapComponents: {
      OperationSummary:
        (Summary, { React }) =>
        (props) =>
          React.createElement(Summary, { ...props, operationProps: lockOf(props.operationProps) }),
      // A route's path is within the button that opens it, which may hold no link.
      DeepLink:
        (Link, { React }) =>
        (props) =>
          props.path.includes("/") ? React.createElement("span", null, props.text) : React.createElement(Link, props),
    },
  });

  const draw = (spec) => {
    const ui = SwaggerUIBundle({
      spec: fit(spec),
      domNode: root,
      plugins: [own],
      layout: "BaseLayout",
      deepLinking: true,
      docExpansion: "list",
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 2,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      persistAuthorization: false,
      validatorUrl: null,
    });
    let hasKey = false;
    const takeKey = () => {
      const key = field.value.trim();
      if (key) ui.preauthorizeApiKey("bearer", key);
      else if (hasKey) ui.authActions.logout(["bearer"]);
      hasKey = key !== "";
    };
    field.addEventListener("input", takeKey);
    form.addEventListener("reset", () => setTimeout(takeKey));
    form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", () => ui.layoutActions.parseDeepLinkHash(location.hash));
    takeKey();
  };

  const tell = (error) => {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.textContent = `The reference cannot be drawn: ${error.message}`;
    root.replaceChildren(notice);
  };

  fetch(`${root.dataset.base}/openapi.json`, { cache: "no-cache" })
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`HTTP ${response.status}`))))
    .then(draw)
    .catch(tell);
})();
