export const inputModalities = ['text', 'image', 'file'] as const
export type InputModality = (typeof inputModalities)[number]

/** Families of models that see images and read PDF files, by their names. */
const seeAndRead =
  /^(?:chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-[5-9]|o1(?!-mini|-preview)|o3(?!-mini)|o4-mini|claude-(?:3-[57]|opus|sonnet|haiku)|gemini-(?!embedding))/
/** Families that see images. */
const see =
  /^(?:gpt-4-(?:turbo|vision)|claude-3|pixtral|mistral-(?:small|medium|large)-(?:latest|25|26)|ministral|llava|bakllava|moondream|minicpm-v|gemma-?3(?!n)|llama-?4|llama-?3\.2.*vision|qwen.*(?:vl|omni)|qvq|internvl|phi-(?:3\.5|4).*(?:vision|multimodal)|command-a-vision|aya-vision|grok-(?:[4-9]|.*vision)|nova-(?:lite|pro|premier)|granite.*vision|molmo)/
/** Models of the same families for other purposes, which take only text. */
const others = /audio|realtime|transcribe|tts|search|embed|dall-e/

/** Guesses the input modalities of a model from its id: the default, which a request can override. */
export function knownModalities(modelId: string): InputModality[] {
  const name = (modelId.toLowerCase().split('/').at(-1) ?? '').replace(/^(?:\w+\.)+(?=claude|nova)/, '')
  if (others.test(name)) return ['text']
  if (seeAndRead.test(name)) return ['text', 'image', 'file']
  return see.test(name) ? ['text', 'image'] : ['text']
}
