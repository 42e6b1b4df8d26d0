import type { Schemas } from '@parley/client'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../api/session.ts'
import { ErrorBoundary } from '../parts/error-boundary.tsx'
import { RateLimitBanner } from '../parts/rate-limit-banner.tsx'
import { SeenAsBanner } from '../parts/seen-as.tsx'
import { IconButton } from '../ui/button.tsx'
import { Drawer } from '../ui/dialog.tsx'
import { recoverFocus } from '../ui/focus.ts'
import { Logo } from '../ui/logo.tsx'
import { Account } from './account.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'

const collapsedKey = 'parley-navigation-hidden'

export function Shell({ me }: { me: Schemas['Me'] }) {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(collapsedKey) !== null)
  const collapse = (is: boolean) => {
    setCollapsed(is)
    if (is) localStorage.setItem(collapsedKey, 'yes')
    else localStorage.removeItem(collapsedKey)
  }
  const { seenAs } = useSession()
  const path = useRouterState({ select: (state) => state.location.pathname })

  const shownPath = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const lastPath = useRef(shownPath)
  useEffect(() => {
    if (lastPath.current !== undefined && lastPath.current !== shownPath) recoverFocus()
    lastPath.current = shownPath
  }, [shownPath])

  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setPaletteOpen((is) => !is)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])

  const openPalette = () => {
    setDrawerOpen(false)
    setPaletteOpen(true)
  }
  const sidebar = (
    <>
      <button type="button" className="finder" onClick={openPalette}>
        <Search aria-hidden size={15} />
        <span>Search…</span>
        <kbd>{navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <Navigation role={me.role} onGo={() => setDrawerOpen(false)} />
      <Account me={me} />
    </>
  )

  return (
    <div className={isCollapsed ? 'shell collapsed' : 'shell'}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton icon={MenuIcon} label="Open navigation" onClick={() => setDrawerOpen(true)} />
        <Logo />
        <IconButton icon={Search} label="Search or go to" onClick={openPalette} />
      </header>
      {isCollapsed ? (
        <div className="expand">
          <IconButton icon={PanelLeftOpen} label="Show navigation" onClick={() => collapse(false)} />
        </div>
      ) : (
        <aside className="sidebar">
          <div className="row spread nowrap">
            <Logo />
            <IconButton icon={PanelLeftClose} label="Hide navigation" onClick={() => collapse(true)} />
          </div>
          {sidebar}
        </aside>
      )}
      <Drawer open={isDrawerOpen} onOpenChange={setDrawerOpen} title="Navigation">
        {sidebar}
      </Drawer>
      <main id="main" tabIndex={-1}>
        <SeenAsBanner />
        <RateLimitBanner />
        <ErrorBoundary key={`${path} ${JSON.stringify(seenAs)}`}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <Palette role={me.role} open={isPaletteOpen} onOpenChange={setPaletteOpen} />
    </div>
  )
}
