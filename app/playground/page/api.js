// The playground's human side over HTTP: the workspace as one person sees it, and what that person does.

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

async function request(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw new Refusal("The playground does not answer. Is it still running?");
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(answer.error ?? `The playground answered ${response.status}.`);
  return answer;
}
