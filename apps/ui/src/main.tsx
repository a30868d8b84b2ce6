import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/query-client.ts";
import { whenIdle } from "./live/when-idle.ts";
import { loadAhead, router } from "./router.tsx";
import "./theme.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the application");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
// What cannot be loaded now is loaded, or told of, when it is needed.
whenIdle(() => void loadAhead().catch(() => {}));
