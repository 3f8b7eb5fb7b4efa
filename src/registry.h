// registry.h: name -> factory; one table per interface (Loss, Kernel).
#pragma once
#include <functional>
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
  void set(const std::string& name, double value) { values_[name] = value; }

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

  static bool add(const std::string& name, Maker maker) {
    return table().emplace(name, std::move(maker)).second;
  }

  static std::unique_ptr<Base> make(const std::string& name, const Params& params) {
    const auto entry = table().find(name);
    if (entry == table().end()) {
      throw std::invalid_argument("unknown " + std::string(Base::kind) + " '" + name + "'");
    }
    auto made = entry->second(params);
    params.check_all_read();
    return made;
  }

  static std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& entry : table()) out.push_back(entry.first);
    return out;
  }

 private:
  static std::map<std::string, Maker>& table() {
    static std::map<std::string, Maker> entries;
    return entries;
  }
};

}  // namespace psd
