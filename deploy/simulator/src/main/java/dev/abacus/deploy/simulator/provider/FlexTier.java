package dev.abacus.deploy.simulator.provider;

import com.fasterxml.jackson.databind.JsonNode;

/** OpenAI's service tier {@code flex}: half the price, slower, and at times without capacity. */
public final class FlexTier {

  /** The tier in requests and answers. */
  public static final String TEXT = "flex";

  private static final double PRICE = 0.5;

  /** An assumption: OpenAI states that the tier is slower, not by how much. */
  private static final double SLOWNESS = 3;

  private FlexTier() {}

  /** Whether a request asks for the tier. */
  public static boolean isAsked(JsonNode request) {
    return request.path("service_tier").asText().equals(TEXT);
  }

  /** The price of a call ÷ that of the standard tier. */
  public static double price(boolean flex) {
    return flex ? PRICE : 1;
  }

  /** The latency of a call ÷ that of the standard tier. */
  public static double slowness(boolean flex) {
    return flex ? SLOWNESS : 1;
  }
}
