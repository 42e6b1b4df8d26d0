import { useSyncExternalStore } from 'react'

const query = matchMedia('(prefers-color-scheme: dark)')

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  query.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    query.removeEventListener('change', onChange)
  }
}

/** The theme that is shown: a canvas must be drawn again when it changes. */
export const useTheme = (): string =>
  useSyncExternalStore(subscribe, () => `${document.documentElement.dataset.theme ?? ''} ${query.matches}`)

export const isDarkTheme = (theme: string): boolean =>
  theme.startsWith('dark') || (!theme.startsWith('light') && theme.endsWith('true'))
