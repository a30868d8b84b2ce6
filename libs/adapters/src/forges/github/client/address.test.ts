import { expect, test } from "vitest";
import { githubAddress, isGithubHost } from "./address.ts";

test.for([
  ["https://github.com/acme/shop.git", "github.com", "acme", "shop"],
  ["https://github.com/acme/shop/", "github.com", "acme", "shop"],
  ["https://robin:secret@GitHub.com/acme/shop", "github.com", "acme", "shop"],
  ["https://www.github.com/acme/shop", "github.com", "acme", "shop"],
  ["git@github.com:acme/shop.git", "github.com", "acme", "shop"],
  ["github.com:acme/shop", "github.com", "acme", "shop"],
  ["ssh://git@github.com/acme/shop.git", "github.com", "acme", "shop"],
  ["ssh://git@ssh.github.com:443/acme/shop.git", "github.com", "acme", "shop"],
  ["https://git.acme.example:8443/team_a/the.shop.git", "git.acme.example:8443", "team_a", "the.shop"],
  ["ssh://git@git.acme.example:2222/acme/shop", "git.acme.example", "acme", "shop"],
  ["git@git.acme.example:/acme/shop.git", "git.acme.example", "acme", "shop"],
  ["http://127.0.0.1:4001/acme/shop", "127.0.0.1:4001", "acme", "shop"],
  ["http://localhost:4001/acme/shop", "localhost:4001", "acme", "shop"],
  ["http://[::1]:4001/acme/shop", "[::1]:4001", "acme", "shop"],
])("%s is on %s, of %s, and called %s", ([address = "", host, owner, repo]) => {
  expect(githubAddress(address)).toMatchObject({ host, owner, repo });
});

test.for([
  "",
  "/home/robin/acme/shop",
  "../acme/shop",
  "file:///acme/shop",
  "git://github.com/acme/shop",
  "http://github.com/acme/shop",
  "http://127.0.0.1.evil.example/acme/shop",
  "https://github.com/acme",
  "https://github.com/acme/shop/pull/7",
  "https://github.com/acme/..",
  "https://github.com/acme/.git",
  "https://github.com/ac%6de/shop",
  "https://github.com/-acme/shop",
  "https://github.com/acme/sh op",
  "git@github.com:acme/shop/more",
  "git@github.com:acme",
  "ext::sh -c evil acme/shop",
])("%s names no repository on GitHub", (address) => {
  expect(githubAddress(address)).toBeNull();
});

test.for([
  ["https://github.com/a/b", "https://api.github.com", "https://api.github.com/graphql"],
  ["https://acme.ghe.com/a/b", "https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql"],
  ["git@git.acme.example:a/b", "https://git.acme.example/api/v3", "https://git.acme.example/api/graphql"],
  ["http://127.0.0.1:4001/a/b", "http://127.0.0.1:4001", "http://127.0.0.1:4001/graphql"],
])("the interfaces of %s are %s and %s", ([address = "", rest, graphql]) => {
  expect(githubAddress(address)).toMatchObject({ rest, graphql });
});

test("only GitHub's own hosts are known by their names", () => {
  const hosts = [
    "github.com",
    "acme.ghe.com",
    "git.acme.example",
    "github.com.evil.example",
    "evil-ghe.com",
    "a.b.ghe.com",
  ];
  expect(hosts.filter(isGithubHost)).toEqual(["github.com", "acme.ghe.com"]);
});
