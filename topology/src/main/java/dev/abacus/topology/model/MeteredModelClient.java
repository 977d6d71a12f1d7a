package dev.abacus.topology.model;

/**
 * Tells a listener of every call. Around an endpoint's client it meters single attempts; around a
 * retrying one, whole calls.
 */
public final class MeteredModelClient implements ModelClient {

  private final ModelClient next;
  private final ModelListener listener;

  /** Meters that client. */
  public MeteredModelClient(ModelClient next, ModelListener listener) {
    this.next = next;
    this.listener = listener;
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    listener.calling(request);
    ModelAnswer answer;
    try {
      answer = next.call(request);
    } catch (InterruptedException e) {
      listener.interrupted(request);
      throw e;
    }
    listener.answered(request, answer);
    return answer;
  }
}
