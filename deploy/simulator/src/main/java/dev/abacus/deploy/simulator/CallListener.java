package dev.abacus.deploy.simulator;

/** Learns of every model call when its response is ready, before the response is sent. */
@FunctionalInterface
public interface CallListener {

  /** Ignores calls. */
  CallListener NONE = _ -> {};

  /**
   * A request and its response.
   *
   * @param path of the request
   * @param request body of the request
   * @param status of the response
   * @param response body of the response
   */
  record Call(String path, String request, int status, String response) {}

  /** A response is ready. */
  void answered(Call call);
}
