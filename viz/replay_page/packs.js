// Packs: JSON, compressed by gzip, in base64.

export async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Return a function that opens the pack with a name; each is opened at most once.
export function opener(textOf) {
  const opened = new Map();
  return (name) => {
    if (!opened.has(name)) opened.set(name, unpack(textOf(name)));
    return opened.get(name);
  };
}
