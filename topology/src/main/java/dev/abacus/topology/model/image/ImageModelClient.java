package dev.abacus.topology.model.image;

import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies an {@link ImagePolicy} to the images of requests, and replaces image URIs by fetched
 * images if the policy says so. It stands behind the retries, which also repeat failed fetches, and
 * behind the receipts, whose hash contains the URI and not the image.
 */
public final class ImageModelClient implements ModelClient {

  private static final String DATA = "data:";

  private final ModelClient next;
  private final ImagePolicy policy;
  private final ImageFetcher fetcher;

  /** The client with the policy in front. */
  public ImageModelClient(ModelClient next, ImagePolicy policy) {
    this.next = next;
    this.policy = policy;
    this.fetcher = new ImageFetcher(policy);
  }

  /** The part to send for an image, or the reason why the image is unavailable. */
  private sealed interface Resolved {
    record Usable(Content image) implements Resolved {}

    record Unavailable(ModelFailure failure) implements Resolved {}
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    if (request.content().stream().allMatch(Content.Text.class::isInstance)) {
      return next.call(request);
    }
    long start = System.nanoTime();
    List<Content> content = new ArrayList<>();
    for (Content part : request.content()) {
      Resolved resolved =
          switch (part) {
            case Content.Text text -> new Resolved.Usable(text);
            case Content.ImageReference(String uri) -> resolve(uri);
            case Content.ImageBytes image -> checked(image);
          };
      switch (resolved) {
        case Resolved.Usable(Content image) -> content.add(image);
        case Resolved.Unavailable(ModelFailure failure) -> {
          return new ModelAnswer.Failed(failure, 0, secondsSince(start), 0);
        }
      }
    }
    double fetching = secondsSince(start);
    return next.call(request.withContent(content)).after(0, fetching, 0);
  }

  private Resolved resolve(String uri) throws InterruptedException {
    if (uri.startsWith(DATA)) {
      Content.ImageBytes image = inline(uri);
      return image == null ? unavailable("the data URI contains no image", false) : checked(image);
    }
    URI address;
    try {
      address = URI.create(uri);
    } catch (IllegalArgumentException e) {
      return unavailable("the address of the image is not a URI", false);
    }
    String refusal = policy.refusal(address);
    if (refusal != null) {
      return unavailable(shown(address) + ": " + refusal, false);
    }
    if (!policy.fetched()) {
      return new Resolved.Usable(new Content.ImageReference(uri));
    }
    return switch (fetcher.fetch(address)) {
      case ImageFetcher.Result.Image(Content.ImageBytes image) -> new Resolved.Usable(image);
      case ImageFetcher.Result.None(String reason, boolean retryable) ->
          unavailable(shown(address) + ": " + reason, retryable);
    };
  }

  /** An image with the media type of its content, if it is allowed. */
  private Resolved checked(Content.ImageBytes image) {
    String refusal = policy.refusal(image);
    String type = ImagePolicy.mediaType(image.base64());
    return refusal == null && type != null
        ? new Resolved.Usable(new Content.ImageBytes(type, image.base64()))
        : unavailable(String.valueOf(refusal), false);
  }

  /** The image of {@code data:image/png;base64,…}; null for other data URIs. */
  private static Content.@Nullable ImageBytes inline(String uri) {
    int comma = uri.indexOf(',');
    String head = comma < 0 ? "" : uri.substring(DATA.length(), comma);
    if (!head.startsWith("image/") || !head.endsWith(";base64")) {
      return null;
    }
    String base64 = uri.substring(comma + 1);
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      String type = head.substring(0, head.indexOf(';'));
      return bytes.length == 0 ? null : new Content.ImageBytes(type, base64);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Resolved unavailable(String message, boolean retryable) {
    return new Resolved.Unavailable(new ModelFailure.ImageUnavailable(message, retryable));
  }

  /** The address without user and query, which may hold a key. */
  private static String shown(URI address) {
    String shown =
        "%s://%s%s".formatted(address.getScheme(), address.getHost(), address.getRawPath());
    return shown.length() <= 200 ? shown : shown.substring(0, 200) + "…";
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
