// registry.h: name -> factory; one table per interface (Loss, Kernel).
#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace psd {

// Named scalar parameters of one plug-in, e.g. {tau: 0.5}.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<const std::string, double>> values) : values_(values) {}

  void set(const std::string& name, double value) { values_[name] = value; }
  const std::map<std::string, double>& all() const { return values_; }

  double get(const std::string& name) const {
    const auto entry = values_.find(name);
    if (entry == values_.end()) throw std::invalid_argument("`" + name + "` is missing");
    read_.insert(name);
    return entry->second;
  }

  // A misspelt name is one that nobody asked for.
  void check_all_read() const {
    for (const auto& entry : values_) {
      if (read_.count(entry.first) == 0) {
        throw std::invalid_argument("there is no parameter `" + entry.first + "`");
      }
    }
  }

 private:
  std::map<std::string, double> values_;
  mutable std::set<std::string> read_;
};

template <class Base>
class Registry {
 public:
  using Maker = std::function<std::unique_ptr<Base>(const Params&)>;

  // `defaults`: what the parameters are where the user names none; `make` wants them all.
  static bool add(const std::string& name, Maker maker, Params defaults = {}) {
    return table().emplace(name, Entry{std::move(maker), std::move(defaults)}).second;
  }

  static std::unique_ptr<Base> make(const std::string& name, const Params& params) {
    auto made = find(name).maker(params);
    params.check_all_read();
    return made;
  }

  static const Params& defaults(const std::string& name) { return find(name).defaults; }

  static std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& entry : table()) out.push_back(entry.first);
    return out;
  }

 private:
  struct Entry {
    Maker maker;
    Params defaults;
  };

  static const Entry& find(const std::string& name) {
    const auto entry = table().find(name);
    if (entry == table().end()) {
      throw std::invalid_argument("unknown " + std::string(Base::kind) + " '" + name + "'");
    }
    return entry->second;
  }

  static std::map<std::string, Entry>& table() {
    static std::map<std::string, Entry> entries;
    return entries;
  }
};

}  // namespace psd
