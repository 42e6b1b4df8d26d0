import { createElement, type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'

/** Longer code stays plain, because it takes too long. */
const maxLength = 20_000

type Highlighter = (text: string, language: string) => ReactNode[] | null
let loading: Promise<Highlighter> | undefined

/** Code in colours, once the highlighter is loaded. It is loaded with the first code that names its language. */
export function Highlighted({ text, language }: { text: string; language: string }) {
  const [highlight, setHighlight] = useState<Highlighter | null>(null)
  useEffect(() => {
    let isCurrent = true
    loading ??= load()
    loading.then(
      (loaded) => isCurrent && setHighlight(() => loaded),
      () => {
        loading = undefined // offline: the next code tries again
      },
    )
    return () => {
      isCurrent = false
    }
  }, [])
  // While a reply streams, the page stays ahead of the colours.
  const settled = useDeferredValue(text)
  const shown = useMemo(
    () => (highlight && settled.length <= maxLength ? highlight(settled, language) : null),
    [highlight, settled, language],
  )
  return shown ?? text
}

interface Node {
  type: string
  value?: string
  properties?: { className?: unknown }
  children?: Node[]
}

async function load(): Promise<Highlighter> {
  const { common, createLowlight } = await import('lowlight')
  const lowlight = createLowlight(common)
  return (text, language) =>
    lowlight.registered(language) ? (lowlight.highlight(language, text).children as Node[]).map(renderNode) : null
}

const renderNode = ({ type, value, properties, children = [] }: Node, key: number): ReactNode => {
  if (type === 'text') return value
  const className = Array.isArray(properties?.className) ? properties.className.join(' ') : ''
  return createElement('span', { key, className }, ...children.map(renderNode))
}
