import type { Schemas } from '@parley/client'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Boundary } from '../ui/boundary.tsx'
import { IconButton } from '../ui/button.tsx'
import { Drawer } from '../ui/dialog.tsx'
import { catchFocus } from '../ui/focus.ts'
import { Mark } from '../ui/mark.tsx'
import { Account } from './account.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'

export function Shell({ me }: { me: Schemas['Me'] }) {
  const [finding, setFinding] = useState(false)
  const [navigating, setNavigating] = useState(false)
  const path = useRouterState({ select: (state) => state.location.pathname })

  const shown = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(shown)
  useEffect(() => {
    if (before.current !== undefined && before.current !== shown) catchFocus()
    before.current = shown
  }, [shown])

  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setFinding((is) => !is)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])

  const find = () => {
    setNavigating(false)
    setFinding(true)
  }
  const side = (
    <>
      <button type="button" className="finder" onClick={find}>
        <Search aria-hidden size={15} />
        <span>Search…</span>
        <kbd>{navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <Navigation role={me.role} onGo={() => setNavigating(false)} />
      <Account me={me} />
    </>
  )

  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton icon={MenuIcon} label="Open navigation" onClick={() => setNavigating(true)} />
        <Mark />
        <IconButton icon={Search} label="Search or go to" onClick={find} />
      </header>
      <aside className="sidebar">
        <Mark />
        {side}
      </aside>
      <Drawer open={navigating} onOpenChange={setNavigating} title="Navigation">
        {side}
      </Drawer>
      <main id="main" tabIndex={-1}>
        <Boundary key={path}>
          <Outlet />
        </Boundary>
      </main>
      <Palette role={me.role} open={finding} onOpenChange={setFinding} />
    </div>
  )
}
