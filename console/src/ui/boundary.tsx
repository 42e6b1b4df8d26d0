import { Component, type ReactNode } from 'react'
import { ErrorPanel } from './states.tsx'

/** Keeps a fault on one page from taking the rest away. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return <ErrorPanel error={this.state.error} onRetry={() => this.setState({ error: null })} />
  }
}
