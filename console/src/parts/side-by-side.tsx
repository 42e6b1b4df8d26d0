import { Play } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../ui/button.tsx'

interface Sides {
  settings: ReactNode
  tryOut: ReactNode
  /** What the way to the other side is called, where the screen is too narrow for both. */
  jump: string
}

/** Settings, and beside them the place to try them; on a narrow screen below them, with a way to get there. */
export function SideBySide({ settings, tryOut, jump }: Sides) {
  const place = useRef<HTMLDivElement>(null)
  const calm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <>
      <div className="narrow-only">
        <Button icon={Play} onClick={() => place.current?.scrollIntoView({ behavior: calm() ? 'auto' : 'smooth' })}>
          {jump}
        </Button>
      </div>
      <div className="split">
        {settings}
        <div className="sticky stack" ref={place}>
          {tryOut}
        </div>
      </div>
    </>
  )
}
