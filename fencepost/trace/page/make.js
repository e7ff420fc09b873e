  function make(tag, options = {}, ...children) {
    const node = document.createElement(tag);
    const { text, ...rest } = options;
    if (text !== undefined) node.textContent = text;
    for (const [name, value] of Object.entries(rest)) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children);
    return node;
  }
