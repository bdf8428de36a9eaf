// The playground's human side over HTTP: the workspace as one person sees it, and what that person does.

// The address by which the page was opened names a token. It is kept for reloads and further tabs of the same playground.
const KEPT = "threadwise.token";
const given = new URLSearchParams(location.search).get("token");
if (given) localStorage.setItem(KEPT, given);
const token = localStorage.getItem(KEPT) ?? "";

/** Name the token in an address that the browser opens by itself, where it sends no headers of ours. */
export const withToken = (path) => `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}`;

/** What the playground did not do, and why, in a sentence for people. */
export class Refusal extends Error {}

/** Read the workspace as one person sees it; without a person, as the first of the workspace. */
export const readState = (user) => request(`/play/state${user ? `?user=${encodeURIComponent(user)}` : ""}`);

/** Do something as a person: one of the acts that docs/playground.md lists. */
export const act = (action, body) =>
  request(`/play/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

async function request(path, options = {}) {
  const headers = { ...options.headers, Authorization: `Bearer ${token}` };
  const response = await fetch(path, { ...options, headers }).catch(() => {
    throw new Refusal("The playground does not answer. Is it still running?");
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(answer.error ?? `The playground answered ${response.status}.`);
  return answer;
}
