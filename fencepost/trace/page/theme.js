  const theme = () => {
    const root = document.documentElement.classList;
    const dark = root.contains("dark") || (!root.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
    root.toggle("dark", !dark);
    root.toggle("light", dark);
  };
  at("theme").addEventListener("click", theme);
