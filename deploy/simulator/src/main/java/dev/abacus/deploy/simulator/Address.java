package dev.abacus.deploy.simulator;

import com.sun.net.httpserver.Headers;
import dev.abacus.deploy.simulator.provider.Provider;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of an address after the base path.
 *
 * @param operation such as {@code chat/completions}
 * @param deployment the deployment in a path of Azure, or null
 * @param provider whose address it is
 */
record Address(String operation, @Nullable String deployment, Provider provider) {

  private static final Pattern DEPLOYMENT = Pattern.compile("/openai/deployments/([^/]+)/(.+)");
  private static final String BEARER = "Bearer ";

  /** The parts of a path; null if the provider does not serve it. */
  static @Nullable Address of(Provider provider, String path, @Nullable String query) {
    String base = provider.basePath() + "/";
    if (path.startsWith(base)) {
      return new Address(path.substring(base.length()), null, provider);
    }
    Matcher deployment = DEPLOYMENT.matcher(path);
    // Azure serves a path of a deployment only with the version of the API.
    return provider == Provider.AZURE
            && query != null
            && query.contains("api-version=")
            && deployment.matches()
        ? new Address(deployment.group(2), deployment.group(1), provider)
        : null;
  }

  /** The key of a request, or null. Azure also reads the header {@code api-key}. */
  @Nullable String key(Headers headers) {
    String own = provider == Provider.AZURE ? headers.getFirst("api-key") : null;
    String authorization = headers.getFirst("Authorization");
    if (own != null) {
      return own;
    }
    return authorization != null && authorization.startsWith(BEARER)
        ? authorization.substring(BEARER.length())
        : null;
  }
}
