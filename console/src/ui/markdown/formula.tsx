import { createElement, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

/** Longer formulas are shown as they were written. */
const maxLength = 2000

/** A formula as MathML, which the browser draws. Until KaTeX is loaded, and where it cannot read it, the source. */
export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  const [formula, setFormula] = useState<ReactNode>(null)
  useEffect(() => {
    let isCurrent = true
    if (tex.length <= maxLength)
      void drawn(tex, isBlock).then(
        (element) => isCurrent && setFormula(element),
        () => isCurrent && setFormula(null),
      )
    return () => {
      isCurrent = false
    }
  }, [tex, isBlock])
  const box = useRef<HTMLSpanElement>(null)
  const isWide = useIsWide(box)
  return (
    <span
      ref={box}
      className={isBlock ? 'formula block' : 'formula'}
      {...(isWide && { role: 'group', 'aria-label': 'Formula', tabIndex: 0 })}
    >
      {formula ?? <code>{tex}</code>}
    </span>
  )
}

/** Whether an element scrolls sideways: then it must be reachable by keyboard. */
function useIsWide(box: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWide(element.scrollWidth > element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return isWide
}

async function drawn(tex: string, displayMode: boolean): Promise<ReactNode> {
  const { default: katex } = await import('katex')
  const html = katex.renderToString(tex, { output: 'mathml', displayMode, strict: 'ignore', maxExpand: 200 })
  const math = new DOMParser().parseFromString(html, 'text/html').querySelector('math')
  return math && renderElement(math, 0)
}

const elements = new Set(
  'math semantics mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mmultiscripts mprescripts mtable mtr mtd mstyle mpadded mphantom menclose'.split(
    ' ',
  ),
)
const attributes = new Set(
  'mathvariant display stretchy fence separator accent accentunder columnalign rowspacing columnspacing width height depth lspace rspace voffset minsize maxsize linethickness scriptlevel displaystyle movablelimits largeop symmetric form notation columnlines rowlines'.split(
    ' ',
  ),
)

/** Copies only elements and attributes that draw formulas. */
function renderElement(element: Element, key: number): ReactNode {
  const name = element.localName
  if (!elements.has(name)) return null
  const kept = [...element.attributes].filter((attribute) => attributes.has(attribute.name))
  const children = [...element.childNodes].map((child, index) =>
    child instanceof Element ? renderElement(child, index) : child.textContent,
  )
  return createElement(
    name,
    { key, ...Object.fromEntries(kept.map(({ name: each, value }) => [each, value])) },
    ...children,
  )
}
