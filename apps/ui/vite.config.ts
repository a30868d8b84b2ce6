import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// `npm run dev -w @anneal/ui` serves the sources and hands requests on to a server that runs beside it.
const server = process.env.ANNEAL_SERVER ?? "http://127.0.0.1:7733";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The server only takes requests that come from its own pages.
  server: { proxy: { "^/(api|login)": { target: server, ws: true, changeOrigin: true, headers: { origin: server } } } },
  // Workers load a language when a diff needs it, as the page does.
  worker: { format: "es" },
  build: {
    target: "es2024",
    outDir: "dist",
    emptyOutDir: true,
    chunkSizeWarningLimit: 800,
    // How long the build took is nothing that whoever starts the board has to do something about.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
