import type { ReactNode } from 'react'

/** Marks drawn for this list: a hue, and white shapes on a grid of 24. They are no logos of the companies. */
const marks: Record<string, { hue: number; shapes: ReactNode }> = {
  openai: {
    hue: 160,
    shapes: <path d="M12 3.5l7.4 4.25v8.5L12 20.5l-7.4-4.25v-8.5zM12 3.5v8.5m0 0l7.4 4.25M12 12l-7.4 4.25" />,
  },
  anthropic: {
    hue: 18,
    shapes: <path d="M12 3.5v5m0 7v5M3.5 12h5m7 0h5M6 6l3.5 3.5m5 5L18 18M18 6l-3.5 3.5m-5 5L6 18" />,
  },
  google: {
    hue: 217,
    shapes: (
      <path className="full" d="M12 3c.9 5.4 3.6 8.1 9 9-5.4.9-8.1 3.6-9 9-.9-5.4-3.6-8.1-9-9 5.4-.9 8.1-3.6 9-9z" />
    ),
  },
  mistral: {
    hue: 28,
    shapes: (
      <path className="full" d="M4 5h4v4H4zm12 0h4v4h-4zM4 10h7v4H4zm9 0h7v4h-7zM4 15h4v4H4zm6 0h4v4h-4zm6 0h4v4h-4z" />
    ),
  },
  cohere: {
    hue: 345,
    shapes: (
      <>
        <circle className="full" cx="9.5" cy="8" r="4.5" />
        <circle cx="17.5" cy="10" r="2.5" />
        <path className="full" d="M5 15.5h10.5a2.5 2.5 0 010 5H5z" />
      </>
    ),
  },
  groq: { hue: 8, shapes: <path className="full" d="M13.5 2.5L5 13.5h6l-1.5 8 9-11.5h-6z" /> },
  deepseek: {
    hue: 230,
    shapes: <path d="M3 9c3-3 6-3 9 0s6 3 9 0M3 14c3-3 6-3 9 0s6 3 9 0M6 19c2-1.6 4-1.6 6 0s4 1.6 6 0" />,
  },
  openrouter: {
    hue: 262,
    shapes: (
      <path d="M3 12h5c3 0 4-6 7-6h4m0 0l-2.5-2.5M19 6l-2.5 2.5M8 12c3 0 4 6 7 6h4m0 0l-2.5-2.5M19 18l-2.5 2.5" />
    ),
  },
  together: {
    hue: 205,
    shapes: (
      <>
        <circle cx="9" cy="12" r="5.5" />
        <circle cx="15" cy="12" r="5.5" />
      </>
    ),
  },
  fireworks: {
    hue: 285,
    shapes: <path d="M12 21v-7M12 10V3M9.5 11L4 7m10.5 4L20 7M9.5 13.5L5 17m9.5-3.5L19 17" />,
  },
  xai: { hue: 250, shapes: <path d="M5 4l14 16M19 4l-5.5 6.3M10.5 13.7L5 20" /> },
  ollama: {
    hue: 190,
    shapes: (
      <>
        <path d="M7 11V5.5C7 3 9.5 3 10 6m7 5V5.5C17 3 14.5 3 14 6M7 11c-2 3-1.5 9 5 9s7-6 5-9c-1-2-9-2-10 0z" />
        <circle className="full" cx="9.7" cy="13" r=".6" />
        <circle className="full" cx="14.3" cy="13" r=".6" />
      </>
    ),
  },
  'openai-compatible': { hue: 140, shapes: <path d="M9 3v5m6-5v5M6 8h12v3a6 6 0 01-12 0zm6 9v4" /> },
  local: { hue: 174, shapes: <path d="M7 7h10v10H7zM10 3v4m4-4v4m-4 10v4m4-4v4M3 10h4m-4 4h4m10-4h4m-4 4h4" /> },
}

const other = { hue: 210, shapes: <path d="M8 5l-5 7 5 7m8-14l5 7-5 7" /> }

export function ProviderMark({ provider }: { provider: string }) {
  const { hue, shapes } = marks[provider] ?? other
  return (
    <svg className="provider-mark" viewBox="-4 -4 32 32" width="28" height="28" aria-hidden="true">
      <rect x="-4" y="-4" width="32" height="32" rx="8" fill={`hsl(${hue} 45% 36%)`} />
      {shapes}
    </svg>
  )
}
