import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ErrorPanel } from '../parts/error-panel.tsx'
import { loadPage } from './load-page.ts'
import { NotFound } from './not-found.tsx'
import { pages } from './pages.ts'
import { Root } from './root.tsx'

const root = createRootRoute({ component: Root, notFoundComponent: NotFound })

const routes = pages.flatMap((page) =>
  page.routes.map(({ path, load }) => {
    const component = lazyRouteComponent(loadPage(load))
    // Load the code again before rendering the page again.
    const reload = (show: () => void) => void Promise.resolve(component.preload?.()).then(show)
    return createRoute({
      getParentRoute: () => root,
      path,
      component,
      errorComponent: ({ error, reset }) => <ErrorPanel error={error} onRetry={() => reload(reset)} />,
    })
  }),
)

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // Search parameters are strings, not JSON: ?q=12 stays "12".
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString()
    return text && `?${text}`
  },
})
