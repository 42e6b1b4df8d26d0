import { Play } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../ui/button.tsx'

interface SideBySideProps {
  settings: ReactNode
  tryOut: ReactNode
  /** Label of the button that scrolls to the second column on a narrow screen. */
  jump: string
}

/** Settings beside a panel to try them. On a narrow screen the panel is below, with a button to jump to it. */
export function SideBySide({ settings, tryOut, jump }: SideBySideProps) {
  const panel = useRef<HTMLDivElement>(null)
  const reducesMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <>
      <div className="narrow-only">
        <Button
          icon={Play}
          onClick={() => panel.current?.scrollIntoView({ behavior: reducesMotion() ? 'auto' : 'smooth' })}
        >
          {jump}
        </Button>
      </div>
      <div className="split">
        {settings}
        <div className="sticky stack" ref={panel}>
          {tryOut}
        </div>
      </div>
    </>
  )
}
