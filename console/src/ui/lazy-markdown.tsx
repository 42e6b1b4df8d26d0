import { useEffect, useState } from 'react'
import type { Markdown as Renderer } from './markdown.tsx'

let loaded: typeof Renderer | null = null
let loading: Promise<void> | undefined

/** Loads the parser of Markdown, which is too large for pages that show none. It never fails: the next text tries again. */
export function loadMarkdown(): Promise<void> {
  loading ??= import('./markdown.tsx').then(
    ({ Markdown: renderer }) => {
      loaded = renderer
    },
    () => {
      loading = undefined
    },
  )
  return loading
}

/** Markdown, or the text as it was written until the parser is loaded. */
export function Markdown(props: Parameters<typeof Renderer>[0]) {
  const [Shown, setShown] = useState(() => loaded)
  useEffect(() => {
    if (Shown === null) void loadMarkdown().then(() => setShown(() => loaded))
  }, [Shown])
  if (Shown !== null) return <Shown {...props} />
  return (
    <div className="markdown">
      <p className="plain" dir="auto">
        {props.text}
      </p>
    </div>
  )
}
