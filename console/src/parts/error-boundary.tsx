import { Component, type ReactNode } from 'react'
import { ErrorPanel } from './error-panel.tsx'

/** Keeps an error on one page from breaking the rest of the console. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return <ErrorPanel error={this.state.error} onRetry={() => this.setState({ error: null })} />
  }
}
